import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { parseRetryAfter } from '../../../kernel/time';
import { Logger } from '../../../platform/logging/logger';
import { packageVersion } from '../../../platform/package-version';
import { traceCall } from '../../../platform/tracing/tracing';
import { NetworkPolicy, UndeliverableHost } from './network-policy';

const TIMEOUT_MS = 15_000;
/** How long an idle connection is kept: thousands of receivers must not hold one each forever. */
const IDLE_MS = 5000;
/** Failures to resolve a host all seem to take this long: otherwise the time would give away internal names. */
const UNDELIVERABLE_MS = 1000;
/** How much of a response is kept. The rest isn't read. */
const MAX_RESPONSE_BYTES = 4096;

export interface Outcome {
  /** Null without a response. */
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
  /** Latest first. All of them sign. */
  readonly secrets: readonly string[];
}

/** Sends one attempt, signed by Standard Webhooks 1.0. Redirects aren't followed. */
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

  /** Never rejects: a failure is an outcome too. */
  send(message: Message, now: Date): Promise<Outcome> {
    const statusOf = ({ status }: Outcome) => status;
    const call = { name: 'webhook', method: 'POST', url: message.url, statusOf };
    return traceCall(call, () => this.attempt(message, now));
  }

  private async attempt(message: Message, now: Date): Promise<Outcome> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    // AbortSignal.timeout would keep finished requests in memory until the time is up.
    const timeout = new AbortController();
    const { signal } = timeout;
    const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
    try {
      const response = await this.request(message, now, signal);
      const body = await readStart(response);
      const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now);
      return { status: response.statusCode!, body, error: null, retryAfterMs, durationMs: elapsed() };
    } catch (error) {
      if (error instanceof UndeliverableHost) return await this.undeliverable(error, elapsed());
      const words = signal.aborted ? `No whole answer within ${TIMEOUT_MS / 1000} s.` : inWords(error);
      return { status: null, body: null, error: words, durationMs: elapsed() };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Unknown names and forbidden addresses get the same message after the same time. The log has the reason. */
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
      // For a response that switches protocols, Node emits nothing but `close`.
      const closed = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
      const failed = (error: NodeJS.ErrnoException) => {
        // A receiver may close an idle connection just when it is used again, which is no failure.
        const wasStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        if (wasStale && mayRepeat) resolve(this.request(message, now, signal, false));
        else reject(error);
      };
      request.on('response', resolve).on('error', failed).on('close', closed).end(body);
    });
  }
}

/** Reads no more than is kept, so that an endless response costs no more than a short one. */
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

/** Text that can be stored and shown, from any bytes. */
function printable(bytes: Buffer): string {
  return bytes.toString().replaceAll('\0', '�').toWellFormed();
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
