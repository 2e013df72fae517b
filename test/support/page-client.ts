import { newSecretToken } from '../../src/kernel/secret-token';
import { type Answer, Client, type RequestOptions } from './http-client';

const FORM = 'application/x-www-form-urlencoded';

/** What a browser does with pages, minus the screen: it keeps cookies, and sends the forms that it was shown. */
export class PageClient {
  readonly cookies = new Map<string, string>();
  private readonly client: Client;

  constructor(
    baseUrl: string,
    private readonly headers: Record<string, string> = {},
  ) {
    this.client = new Client(baseUrl);
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, undefined, options);
  }

  /** Sends a form that the page `on` holds; every page of somebody signed in holds one, to sign out. */
  async submit(
    action: string,
    fields: Fields = {},
    { on = '/password-reset', ...options }: RequestOptions & { on?: string } = {},
  ): Promise<Answer> {
    const tokens = { csrfToken: await this.csrfToken(on), submission: newSecretToken() };
    return this.post(action, { ...tokens, ...fields }, options);
  }

  /** Sends these fields and no others. */
  post(action: string, fields: Fields, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', action, encodeForm(fields), options);
  }

  async csrfToken(page = '/password-reset'): Promise<string> {
    const { status, text } = await this.get(page);
    const token = /name="csrfToken" value="([^"]+)"/.exec(text)?.[1];
    if (!token) throw new Error(`${page} holds no form: ${status} ${text}`);
    return token;
  }

  async request(
    method: string,
    path: string,
    body?: string | Buffer,
    { headers }: RequestOptions = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.client.request(method, path, body, {
      headers: {
        ...(body !== undefined && { 'Content-Type': FORM }),
        ...(cookie && { Cookie: cookie }),
        ...this.headers,
        ...headers,
      },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.cookies.set(name!, value!);
    }
    return answer;
  }

  /** Another browser that holds the same cookies. */
  copy(baseUrl: string): PageClient {
    const copy = new PageClient(baseUrl, this.headers);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }
}

export type Fields = Record<string, string | string[]>;

export function encodeForm(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs).toString();
}

/** A page as it is each time: forms carry another one-time token whenever they are rendered. */
export function withoutSubmissions(html: string): string {
  return html.replace(/(?<=name="submission" value=")[A-Za-z0-9_-]{43}/g, 'token');
}

/** `303 /settings`, or the status alone of what isn't a redirect. */
export function outcome({ status, headers }: Answer): string {
  return headers.location === undefined ? String(status) : `${status} ${headers.location}`;
}
