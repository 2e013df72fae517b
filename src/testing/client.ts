import http from 'node:http';

/** An answer of the service. `body` is its JSON, or undefined when it isn't JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers as untyped JSON; their expectations check the types
export interface Answer<Body = any> {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  body: Body;
}

export interface RequestOptions {
  /** An array sends the header once per element. */
  headers?: Record<string, string | string[] | undefined>;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });

/** Calls the API with one key, or with none. What is sent goes out byte for byte. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly key?: string,
  ) {}

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, undefined, options);
  }

  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', path, body, options);
  }

  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request('PATCH', path, body, options);
  }

  delete(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('DELETE', path, undefined, options);
  }

  /** An object is sent as JSON, text and bytes as they are. */
  request(
    method: string,
    path: string,
    body?: unknown,
    { headers = {} }: RequestOptions = {},
  ): Promise<Answer> {
    const payload =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all: Record<string, unknown> = {
      ...(this.key && { Authorization: `Bearer ${this.key}` }),
      ...(payload !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(payload)),
      }),
      ...headers,
    };
    const { hostname, port } = new URL(this.baseUrl);
    const sent = Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined),
    ) as http.OutgoingHttpHeaders;
    return new Promise((resolve, reject) => {
      const request = http.request({ agent, hostname, port, method, path, headers: sent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode!, headers: response.headers, text, body: parse(text) });
        });
      });
      request.on('error', reject);
      request.end(payload);
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
