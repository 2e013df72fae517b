import { newSecretToken } from '../kernel/secret-token';
import { type Answer, Client, type RequestOptions } from './client';

const FORM = 'application/x-www-form-urlencoded';

/** The values of a form's fields. An array sends a field once per element. */
export type FormFields = Record<string, string | string[]>;

/** What a browser does with pages, minus the screen: it keeps cookies, and sends forms with their tokens. */
export class Browser {
  readonly cookies = new Map<string, string>();
  private readonly client: Client;

  constructor(
    baseUrl: string,
    protected readonly headers: Record<string, string> = {},
  ) {
    this.client = new Client(baseUrl);
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, undefined, options);
  }

  /** Sends a form that the page `on` contains, by default the page at the form's own path. Redirects aren't followed. */
  async submit(
    action: string,
    fields: FormFields = {},
    { on = action, ...options }: RequestOptions & { on?: string } = {},
  ): Promise<Answer> {
    const tokens = { csrfToken: await this.csrfToken(on), submission: newSecretToken() };
    return this.post(action, { ...tokens, ...fields }, options);
  }

  /** Sends these fields and no others, so without tokens. */
  post(action: string, fields: FormFields, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', action, encodeForm(fields), options);
  }

  /** The token that protects this browser's forms against request forgery, as the page shows it. */
  async csrfToken(page: string): Promise<string> {
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
}

/** A form's body, `application/x-www-form-urlencoded`. */
export function encodeForm(fields: FormFields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new URLSearchParams(pairs).toString();
}
