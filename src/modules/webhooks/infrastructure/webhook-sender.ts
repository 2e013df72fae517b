import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { Logger } from '../../../platform/logging/logger';
import { packageVersion } from '../../../platform/package-version';
import { traceCall } from '../../../platform/tracing/tracing';
import { NetworkPolicy, UndeliverableHost } from './network-policy';

const TIMEOUT_MS = 15_000;
/** How long a connection waits for the next delivery: thousands of receivers must not keep one each for good. */
const IDLE_MS = 5000;
/** No look-up of a host that nothing can be delivered to seems to take less: an internal name is known sooner. */
const UNDELIVERABLE_MS = 1000;
/** As much of an answer as is kept; the rest is not even read. */
const MAX_RESPONSE_BYTES = 4096;

export interface Outcome {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly body: string | null;
  readonly error: string | null;
  readonly retryAfterMs?: number;
  readonly durationMs: number;
}

export interface Message {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** The latest first; all of them sign. */
  readonly secrets: readonly string[];
}

/** Sends one attempt, signed by Standard Webhooks 1.0. Redirects are answers like any other, and not followed. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly agents: Record<string, http.Agent>;
  private readonly userAgent = `Gala-Webhooks/${packageVersion()}`;

  constructor(
    private readonly network: NetworkPolicy,
    private readonly logger: Logger,
  ) {
    const options = (protocol: string) => ({
      keepAlive: true,
      timeout: IDLE_MS,
      lookup: network.lookupFor(protocol) as LookupFunction,
    });
    this.agents = { 'http:': new http.Agent(options('http:')), 'https:': new https.Agent(options('https:')) };
  }

  onApplicationShutdown(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /** Never rejects: whatever goes wrong is the outcome. */
  send(message: Message, now: Date): Promise<Outcome> {
    const statusOf = ({ status }: Outcome) => status;
    const call = { name: 'webhook', method: 'POST', url: message.url, statusOf };
    return traceCall(call, () => this.attempt(message, now));
  }

  private async attempt(message: Message, now: Date): Promise<Outcome> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    // Not AbortSignal.timeout: that holds on to what has long been answered until the time is up.
    const timeout = new AbortController();
    const { signal } = timeout;
    const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
    try {
      const response = await this.request(message, now, signal);
      const body = await readStart(response);
      const retryAfterMs = retryAfter(response, now);
      return { status: response.statusCode!, body, error: null, retryAfterMs, durationMs: elapsed() };
    } catch (error) {
      if (error instanceof UndeliverableHost) return await this.undeliverable(error, elapsed());
      const words = signal.aborted ? `No whole answer within ${TIMEOUT_MS / 1000} s.` : inWords(error);
      return { status: null, body: null, error: words, durationMs: elapsed() };
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same for an unknown name and a forbidden address, in words and in time; the log has the reason. */
  private async undeliverable({ host, reason, message }: UndeliverableHost, ms: number): Promise<Outcome> {
    this.logger.info({ host, reason }, 'a webhook could not be delivered');
    await sleep(Math.max(0, UNDELIVERABLE_MS - ms), undefined, { ref: false });
    return { status: null, body: null, error: message, durationMs: 0 };
  }

  private request(
    message: Message,
    now: Date,
    signal: AbortSignal,
    mayRepeat = true,
  ): Promise<IncomingMessage> {
    const { url: address, id, body, secrets } = message;
    const url = new URL(address);
    this.network.checkLiteral(url);
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: this.agents[url.protocol],
      signal,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': this.userAgent,
        'webhook-id': id,
        'webhook-timestamp': Math.floor(now.getTime() / 1000),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
      },
    });
    return new Promise((resolve, reject) => {
      // Of an answer that switches protocols Node tells nothing but that the connection has ended.
      const closed = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
      const failed = (error: NodeJS.ErrnoException) => {
        // A receiver may close a connection that waits just when it is used again, which is no failure of its.
        const wasStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        if (wasStale && mayRepeat) resolve(this.request(message, now, signal, false));
        else reject(error);
      };
      request.on('response', resolve).on('error', failed).on('close', closed).end(body);
    });
  }
}

/** A receiver that drips or never ends costs no more than one that answers. */
function readStart(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => resolve(printable(Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES)));
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < MAX_RESPONSE_BYTES) return;
      finish();
      response.destroy();
    });
    response.on('end', finish).on('error', reject).on('close', finish);
  });
}

/** What can be stored and shown, whatever bytes they were. */
function printable(bytes: Buffer): string {
  return bytes.toString().replaceAll('\0', '�').toWellFormed();
}

/** In seconds, or as a date (RFC 9110 section 10.2.3). */
function retryAfter({ headers }: IncomingMessage, now: Date): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

function inWords(error: unknown): string {
  const { name, code } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    ECONNREFUSED: 'The connection was refused.',
    ECONNRESET: 'The connection broke off.',
    EHOSTUNREACH: 'The host can’t be reached.',
    EPIPE: 'The connection broke off.',
    ETIMEDOUT: 'The connection took too long.',
  };
  return words[code ?? ''] ?? `The request failed (${code ?? name}).`;
}
