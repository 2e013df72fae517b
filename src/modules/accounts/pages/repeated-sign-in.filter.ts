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
 * A second click while the answer to the first arrives: signing in or out has replaced the browser's secret, so the form that is
 * still shown is stale. It changes nothing, and leads to where the first click leads.
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

/** `wanted` is the page that somebody was sent to sign in from. */
export function nextAfterSignIn(session: { awaitsSecondFactor: boolean }, wanted: string): Path {
  const next = returnPath(wanted);
  return session.awaitsSecondFactor ? `/sign-in/code?return=${encodeURIComponent(next)}` : next;
}
