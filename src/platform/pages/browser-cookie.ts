import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { newSecretToken } from '../../kernel/secret-token';
import { Cookies, type SetCookie } from './cookies';

const NAME = 'gala';
/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * A random secret that tells browsers apart, before and after people sign in. Forms are tied to it against forgery,
 * and a session is stored under its hash.
 */
@Injectable()
export class BrowserCookie {
  constructor(private readonly cookies: Cookies) {}

  /** The secret that the browser sent, or was given while this request is answered. */
  read(request: Request): string | undefined {
    if (request.browserSecret) return request.browserSecret;
    const value = this.cookies.get(request, NAME);
    return value && SECRET.test(value) ? value : undefined;
  }

  /** The same, and a new secret for a browser that has none: the answer brings it. */
  ensure(request: Request): string {
    return this.read(request) ?? (request.browserSecret = newSecretToken());
  }

  /** What the browser has to keep of what it was given while this request is answered. */
  given({ browserSecret }: Request): SetCookie[] {
    return browserSecret ? [this.holding(browserSecret)] : [];
  }

  /** Gives the browser another secret, which it keeps for that long, or until it is closed. */
  holding(secret: string, maxAgeSeconds?: number): SetCookie {
    return { name: NAME, value: secret, maxAgeSeconds };
  }
}
