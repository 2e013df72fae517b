import { parseUrl } from '../../kernel/url';
import { createHmac } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Forbidden } from '../../kernel/errors';
import { Configuration } from '../config/configuration';
import { BrowserCookie } from './browser-cookie';
import { isSameSecret } from '../../kernel/secret-token';

export const CSRF_FIELD = 'csrfToken';

/** The form doesn't come from a page that this browser was shown since it last signed in or out. */
export class StaleForm extends Forbidden {
  /** `isFromHere` is what the browser says (`Origin`). Then the form is one of ours that has become stale. */
  constructor(readonly isFromHere: boolean) {
    super('This form is too old, or comes from another site. Nothing was changed.');
  }
}

/** What a form has to carry, so that no other site can send one in the name of the browser's owner. */
export function csrfToken(browserSecret: string): string {
  return createHmac('sha256', browserSecret).update('gala form').digest('base64url');
}

/** Refuses forms that another site may have made: by their token, and by where the browser says they come from. */
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
    // A browser that sends no Origin header is judged by the token alone.
    const { origin } = request.headers;
    const isFromHere = origin !== undefined && this.isOurs(origin, request);
    if (!secret || typeof given !== 'string' || !isSameSecret(given, csrfToken(secret)))
      throw new StaleForm(isFromHere);
    if (origin !== undefined && !isFromHere) throw new StaleForm(false);
    return true;
  }

  /** By whatever name the service was reached. */
  private isOurs(origin: string, { headers }: Request): boolean {
    return origin === this.origin || parseUrl(origin)?.host === headers.host;
  }
}
