import { parseUrl } from '../../kernel/url';
import { createHmac } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Forbidden } from '../../kernel/errors';
import { Configuration } from '../config/configuration';
import { BrowserCookie } from './browser-cookie';
import { isSameSecret } from '../../kernel/secret-token';

export const CSRF_FIELD = 'csrfToken';

/** Thrown for a form whose page this browser loaded before it last signed in or out, or never. */
export class StaleForm extends Forbidden {
  /** `isFromHere`: the `Origin` header names this service, so the form is one of ours that became stale. */
  constructor(readonly isFromHere: boolean) {
    super(
      'The form is too old or comes from another site. Nothing was changed. Reload the page and try again.',
    );
  }
}

/** The token of a form. Other sites can't read it, and so can't send a form in the user's name. */
export function csrfToken(browserSecret: string): string {
  return createHmac('sha256', browserSecret).update('gala form').digest('base64url');
}

/** Refuses forms of other sites, by their token and by the `Origin` header. */
@Injectable()
export class CsrfGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    { publicUrl }: Configuration,
    private readonly cookie: BrowserCookie,
  ) {
    this.origin = publicUrl.origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method !== 'POST') return true;
    const secret = this.cookie.read(request);
    const given = (request.body as Record<string, unknown>)[CSRF_FIELD];
    // Without an Origin header, the token alone decides.
    const { origin } = request.headers;
    const isFromHere = origin !== undefined && this.isOurs(origin, request);
    if (!secret || typeof given !== 'string' || !isSameSecret(given, csrfToken(secret)))
      throw new StaleForm(isFromHere);
    if (origin !== undefined && !isFromHere) throw new StaleForm(false);
    return true;
  }

  /** Also true for other host names under which the service was reached. */
  private isOurs(origin: string, { headers }: Request): boolean {
    return origin === this.origin || parseUrl(origin)?.host === headers.host;
  }
}
