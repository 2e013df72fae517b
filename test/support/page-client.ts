import { Browser, type FormFields } from '../../src/testing/browser';
import type { Answer, RequestOptions } from './http-client';

export { encodeForm, type FormFields as Fields } from '../../src/testing/browser';

/** A browser that takes CSRF tokens from a public page by default, for form actions without a page of their own. */
export class PageClient extends Browser {
  override submit(
    action: string,
    fields?: FormFields,
    { on = '/password-reset', ...options }: RequestOptions & { on?: string } = {},
  ): Promise<Answer> {
    return super.submit(action, fields, { on, ...options });
  }

  override csrfToken(page = '/password-reset'): Promise<string> {
    return super.csrfToken(page);
  }

  /** Another browser that holds the same cookies. */
  copy(baseUrl: string): PageClient {
    const copy = new PageClient(baseUrl, this.headers);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }
}

/** Replaces the one-time tokens of forms, which differ on every rendering, so that pages can be compared. */
export function withoutSubmissions(html: string): string {
  return html.replace(/(?<=name="submission" value=")[A-Za-z0-9_-]{43}/g, 'token');
}

/** The status and, for a redirect, its target: `303 /settings`. */
export function outcome({ status, headers }: Answer): string {
  return headers.location === undefined ? String(status) : `${status} ${headers.location}`;
}
