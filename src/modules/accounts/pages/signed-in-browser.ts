import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import type { SetCookie } from '../../../platform/pages/cookies';
import { SecretLookups } from '../../../platform/rate-limiting/secret-lookups';
import type { SignedIn } from '../application/sign-in';
import { Sessions } from '../application/sessions';
import { SESSION_SECONDS } from '../domain/session';
import type { User } from '../domain/user';

export const KNOWN_BROWSER_COOKIE = 'gala-known';

const KNOWN_FOR_SECONDS = 365 * 24 * 3600;

/** Issues the cookies of a session, and finds the user of a browser by them. */
@Injectable()
export class SignedInBrowser {
  constructor(
    private readonly cookie: BrowserCookie,
    private readonly sessions: Sessions,
    private readonly lookups: SecretLookups,
  ) {}

  /** The cookies of the response. The browser's former session ends, so that nobody else can continue it. */
  async remember(
    request: Request,
    { secret, awaitsSecondFactor, browserMark }: SignedIn,
  ): Promise<SetCookie[]> {
    const former = this.cookie.read(request);
    if (former) await this.sessions.end(former);
    const session = this.cookie.holding(secret, awaitsSecondFactor ? undefined : SESSION_SECONDS);
    if (!browserMark) return [session];
    return [session, { name: KNOWN_BROWSER_COOKIE, value: browserMark, maxAgeSeconds: KNOWN_FOR_SECONDS }];
  }

  /** The signed-in user of a browser; undefined while the second factor is missing. */
  async userOf(request: Request): Promise<User | undefined> {
    const secret = this.cookie.read(request);
    const found = secret && (await this.lookups.find(request, secret, () => this.sessions.find(secret)));
    return !found || found.session.awaitsSecondFactor ? undefined : found.user;
  }
}
