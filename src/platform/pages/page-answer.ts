import type { Response } from 'express';
import type { VNode } from 'preact';
import type { SetCookie } from './cookies';
import type { Path } from './components/link';

/** A page for the browser, with its status. */
export class HtmlPage {
  /** `formTarget` is an address that a form of the page may lead to in the end: browsers watch redirects, too. */
  constructor(
    readonly content: VNode,
    readonly status = 200,
    readonly formTarget?: string,
  ) {}
}

/** Leads the browser to a path of this service, which it asks for with GET. */
export class Redirect {
  constructor(
    readonly path: Path,
    readonly cookies: readonly SetCookie[] = [],
  ) {}
}

/** Leads the browser to another service. Whoever makes one vouches for the address. */
export class RedirectAway {
  constructor(readonly url: string) {}
}

/** A file that `send` writes to the response, and that the browser saves. Only a GET handler may return one. */
export class Download {
  constructor(readonly send: (response: Response) => Promise<void>) {}
}

/** What a handler of web pages returns. `PageInterceptor` sends it, with the headers that every page needs. */
export type PageAnswer = HtmlPage | Redirect | RedirectAway | Download;
