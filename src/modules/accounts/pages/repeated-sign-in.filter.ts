import { type ArgumentsHost, Catch } from '@nestjs/common';
import type { Request } from 'express';
import type { Query } from '../../../platform/http/request-input';
import { Logger } from '../../../platform/logging/logger';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import type { Path } from '../../../platform/pages/components/link';
import { StaleForm } from '../../../platform/pages/csrf.guard';
import { FormInput } from '../../../platform/pages/form-input';
import { PageErrorFilter } from '../../../platform/pages/page-error.filter';
import { PageRenderer, Redirection } from '../../../platform/pages/page-renderer';
import { Sessions } from '../application/sessions';
import { returnPath } from './return-path';

/**
 * Handles a second click on sign-in or sign-out. The first click replaced the browser's secret, which makes the form of the second
 * one stale. It changes nothing and redirects to the same page as the first click.
 */
@Catch(StaleForm)
export class RepeatedSignInFilter extends PageErrorFilter {
  constructor(
    logger: Logger,
    renderer: PageRenderer,
    private readonly cookie: BrowserCookie,
    private readonly sessions: Sessions,
  ) {
    super(logger, renderer);
  }

  override catch(thrown: StaleForm, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    void this.nextOf(thrown, request).then(
      (next) => super.catch(next ? new Redirection(next) : thrown, host),
      (error: unknown) => super.catch(error, host),
    );
  }

  private async nextOf({ isFromHere }: StaleForm, request: Request): Promise<Path | undefined> {
    if (!isFromHere) return undefined;
    const secret = this.cookie.read(request);
    const session = secret ? (await this.sessions.find(secret))?.session : undefined;
    if (request.path === '/sign-out') return session ? undefined : '/sign-in?notice=signed-out';
    return session && nextAfterSignIn(session, new FormInput(request.body as Query).value('return'));
  }
}

/** `wanted` is the page that the visitor asked for before signing in. */
export function nextAfterSignIn(session: { awaitsSecondFactor: boolean }, wanted: string): Path {
  const next = returnPath(wanted);
  return session.awaitsSecondFactor ? `/sign-in/code?return=${encodeURIComponent(next)}` : next;
}
