import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Configuration } from '../config/configuration';
import { addressOf, basePathOf } from '../config/public-address';
import { BrowserCookie } from './browser-cookie';
import { csrfToken } from './csrf.guard';
import { PageContextProvider } from './page-context';

/** Whatever a page loads comes from here, and no script or style may be written into it. */
const contentSecurityPolicy = (formTarget: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${formTarget && ` ${formTarget}`}`,
    "frame-ancestors 'none'",
  ].join('; ');

const ONE_YEAR_SECONDS = 31_536_000;

/** Ends the handling of a request from wherever it is noticed that the visitor has to go elsewhere first. */
export class Redirection extends Error {
  constructor(readonly path: string) {
    super(`See ${path}`);
  }
}

/** Sends pages, with the headers that every page needs. */
@Injectable()
export class PageRenderer {
  private readonly publicUrl: URL;
  private readonly basePath: string;
  private readonly isHttps: boolean;

  constructor(
    { publicUrl }: Configuration,
    private readonly cookie: BrowserCookie,
  ) {
    this.publicUrl = publicUrl;
    this.basePath = basePathOf(publicUrl);
    this.isHttps = publicUrl.protocol === 'https:';
  }

  /** `formTarget` is an address that a form of the page may lead to in the end: browsers watch redirects, too. */
  send(response: Response, page: VNode, status = 200, { formTarget }: { formTarget?: string } = {}): void {
    const context = { basePath: this.basePath, csrfToken: csrfToken(this.cookie.ensure(response.req)) };
    const html = renderToString(<PageContextProvider value={context}>{page}</PageContextProvider>);
    this.protect(response, formTarget).status(status).type('html').send(`<!doctype html>${html}`);
  }

  /** To a path of this service: 303, so that the browser asks for it with GET. */
  redirect(response: Response, path: string): void {
    this.protect(response).redirect(303, this.basePath + path);
  }

  /** The whole address of a page, for a mail or for another service. */
  addressOf(path: string): string {
    return addressOf(this.publicUrl, path);
  }

  /** To another service. The address is the caller's to vouch for. */
  redirectAway(response: Response, url: string): void {
    this.protect(response).writeHead(303, { Location: url, 'Content-Length': 0 }).end();
  }

  private protect(response: Response, formTarget?: string): Response {
    if (this.isHttps) response.set('Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`);
    return response.set({
      'Content-Security-Policy': contentSecurityPolicy(formTarget ? sourcesOf(formTarget) : ''),
      'Cache-Control': 'no-store',
      // Not `no-referrer`: browsers then hide from us, too, where a form comes from.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
  }
}

/**
 * By scheme, and HTTPS in any case: browsers apply the policy to every further redirect as well, and apps send people on
 * from where they come back to.
 */
function sourcesOf(address: string): string {
  return [...new Set([new URL(address).protocol, 'https:'])].join(' ');
}
