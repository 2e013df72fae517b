import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { Configuration } from '../config/configuration';
import { basePathOf } from '../config/public-address';

/** Where Gala is reached by default, without HTTPS and with it. */
const DEFAULT_PORTS = new Map([
  ['http:', '3000'],
  ['https:', '443'],
]);

/** A cookie for the browser to keep. Without an age it is forgotten when the browser is closed. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds?: number;
}

/** The cookies of the web pages: no script may read them, no other site's form sends them, and HTTPS keeps them to itself. */
@Injectable()
export class Cookies {
  private readonly prefix: string;
  private readonly suffix: string;
  private readonly secure: boolean;
  private readonly path: string;

  constructor({ publicUrl }: Configuration) {
    this.secure = publicUrl.protocol === 'https:';
    this.path = basePathOf(publicUrl) || '/';
    // The prefix makes browsers refuse the cookie from any neighbouring host (RFC 6265bis section 4.1.3).
    this.prefix = this.secure && this.path === '/' ? '__Host-' : '';
    // Browsers send the cookies of a host to all its ports: another Gala there needs names of its own.
    const port = publicUrl.port || (this.secure ? '443' : '80');
    this.suffix = DEFAULT_PORTS.get(publicUrl.protocol) === port ? '' : `-${port}`;
  }

  get(request: Request, name: string): string | undefined {
    return parseCookie(request.headers.cookie ?? '')[this.nameOf(name)];
  }

  write(response: Response, { name, value, maxAgeSeconds }: SetCookie): void {
    const { path, secure } = this;
    const attributes = { path, secure, maxAge: maxAgeSeconds, httpOnly: true, sameSite: 'lax' as const };
    response.append('Set-Cookie', stringifySetCookie({ name: this.nameOf(name), value, ...attributes }));
  }

  private nameOf(name: string): string {
    return this.prefix + name + this.suffix;
  }
}
