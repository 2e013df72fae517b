import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { Clock } from '../../kernel/clock';
import { Configuration } from '../config/configuration';
import { basePathOf } from '../config/public-address';
import { BrowserCookie } from './browser-cookie';
import type { Path } from './components/link';
import { Cookies, type SetCookie } from './cookies';
import { csrfToken } from './csrf.guard';
import { HtmlPage, type PageAnswer, Redirect, RedirectAway } from './page-answer';
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
  constructor(readonly path: Path) {
    super(`See ${path}`);
  }
}

/** A page as text, or where the browser goes instead: `path` is of this service, `url` of another. */
export type RenderedAnswer = { readonly cookies: readonly SetCookie[] } & (
  | { readonly html: string; readonly status: number; readonly formTarget?: string }
  | { readonly path: Path }
  | { readonly url: string }
);

/** Makes text of pages and sends it, with the headers that every page needs. */
@Injectable()
export class PageRenderer {
  private readonly basePath: string;
  private readonly isHttps: boolean;

  constructor(
    { publicUrl }: Configuration,
    private readonly cookie: BrowserCookie,
    private readonly cookies: Cookies,
    private readonly clock: Clock,
  ) {
    this.basePath = basePathOf(publicUrl);
    this.isHttps = publicUrl.protocol === 'https:';
  }

  render(request: Request, answer: PageAnswer): RenderedAnswer {
    if (answer instanceof HtmlPage) {
      const { content, status, formTarget } = answer;
      const context = {
        basePath: this.basePath,
        csrfToken: csrfToken(this.cookie.ensure(request)),
        now: this.clock.now(),
      };
      const html = renderToString(<PageContextProvider value={context}>{content}</PageContextProvider>);
      return { html: `<!doctype html>${html}`, status, formTarget, cookies: [] };
    }
    if (answer instanceof Redirect) return { path: answer.path, cookies: answer.cookies };
    if (answer instanceof RedirectAway) return { url: answer.url, cookies: [] };
    throw new Error('A handler of pages returns an HtmlPage, a Redirect or a RedirectAway.');
  }

  /** Redirects are 303, so that the browser asks for the new address with GET. */
  send(response: Response, answer: RenderedAnswer): void {
    for (const cookie of [...this.cookie.given(response.req), ...answer.cookies]) {
      this.cookies.write(response, cookie);
    }
    if ('html' in answer) {
      this.protect(response, answer.formTarget).status(answer.status).type('html').send(answer.html);
    } else if ('path' in answer) {
      this.protect(response).redirect(303, this.basePath + answer.path);
    } else {
      // Express would encode the address anew: other services compare it to the letter.
      this.protect(response).writeHead(303, { Location: answer.url, 'Content-Length': 0 }).end();
    }
  }

  /** Sets the headers of every page. */
  protect(response: Response, formTarget?: string): Response {
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
