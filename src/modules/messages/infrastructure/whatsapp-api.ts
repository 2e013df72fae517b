import http from 'node:http';
import https from 'node:https';
import { Injectable } from '@nestjs/common';
import { parseRetryAfter } from '../../../kernel/time';
import { Configuration } from '../../../platform/config/configuration';
import { packageVersion } from '../../../platform/package-version';
import { traceCall } from '../../../platform/tracing/tracing';
import { DEPARTURE_TIMEOUT_MS, SEND_TIMEOUT_MS } from '../application/message-channel';

const VERSION = 'v23.0';
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface ApiAnswer {
  readonly status: number;
  /** Undefined for anything but a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs: number;
}

/** There was no answer. The message doesn't describe the request, whose address and headers hold the number and token. */
export class NoAnswer extends Error {
  constructor(reason: string) {
    super(`WhatsApp did not answer: ${reason}`);
  }
}

/** HTTP client of Meta's Graph API. */
@Injectable()
export class WhatsAppApi {
  private readonly base: string;
  private readonly userAgent = `Gala/${packageVersion()}`;

  constructor({ whatsAppApiUrl }: Configuration) {
    this.base = `${whatsAppApiUrl.href.replace(/\/$/, '')}/${VERSION}`;
  }

  get(path: string, accessToken: string): Promise<ApiAnswer> {
    return this.traced('GET', () => this.request('GET', path, accessToken));
  }

  /** Sends nothing before `depart` has resolved, and nothing at all when it rejects. */
  post(path: string, accessToken: string, body: object, depart: () => Promise<void>): Promise<ApiAnswer> {
    return this.traced('POST', () => this.request('POST', path, accessToken, JSON.stringify(body), depart));
  }

  private traced(method: string, work: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
    const statusOf = ({ status }: ApiAnswer) => status;
    return traceCall({ name: 'whatsapp', method, url: this.base, statusOf }, work);
  }

  private request(
    method: string,
    path: string,
    accessToken: string,
    body?: string,
    depart: () => Promise<void> = () => Promise.resolve(),
  ): Promise<ApiAnswer> {
    const url = new URL(`${this.base}${path}`);
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method,
        // The other side may close a kept connection just as a request goes out by it, and nobody could tell whether the
        // request arrived. A new connection for each request costs a handshake, and leaves no doubt.
        agent: false,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${accessToken}`,
          'User-Agent': this.userAgent,
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          }),
        },
      });
      const giveUp = () => request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
      let timer = setTimeout(giveUp, DEPARTURE_TIMEOUT_MS);
      const leave = () => {
        if (request.destroyed) return;
        clearTimeout(timer);
        timer = setTimeout(giveUp, SEND_TIMEOUT_MS);
        request.end(body);
      };
      const refuse = (reason: Error) => {
        reject(reason);
        request.destroy();
      };
      // Node sends the head of a request together with its end. Until then, only the connection exists.
      request.on('socket', (socket) => {
        const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
        socket.once(connected, () => void depart().then(leave, refuse));
      });
      const fail = (error: NodeJS.ErrnoException) => reject(new NoAnswer(error.code ?? error.name));
      request.on('close', () => clearTimeout(timer));
      request.on('error', fail).on('response', (response) => {
        read(response).then(
          (bytes) =>
            resolve({
              status: response.statusCode!,
              body: parse(bytes),
              retryAfterMs: parseRetryAfter(response.headers['retry-after'], new Date()) ?? 0,
            }),
          fail,
        );
      });
    });
  }
}

function read(response: http.IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_ANSWER_BYTES) response.destroy(new Error('The answer is too long.'));
    });
    response.on('end', () => resolve(Buffer.concat(chunks)));
    response.on('error', reject);
    response.on('close', () => reject(Object.assign(new Error(), { code: 'ECONNRESET' })));
  });
}

function parse(bytes: Buffer): ApiAnswer['body'] {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
