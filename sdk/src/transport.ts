import { ConnectionError, retryAfterSeconds } from './errors.js';

export interface TransportOptions {
  /** An API key or access token, or a function that returns the current one. */
  token: string | (() => string | Promise<string>);
  /** The number of retries of a request. */
  maxRetries: number;
  /** The timeout of each attempt. */
  timeoutMs: number;
  /** If the server asks to wait longer, the error is thrown at once. */
  maxWaitMs: number;
  fetch: typeof globalThis.fetch;
}

const PASSING = new Set([429, 500, 502, 503, 504]);
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Sends a request and retries temporary failures. Every POST carries an `Idempotency-Key`, the same on each attempt, so that a
 * request whose answer was lost doesn't take effect twice.
 */
export function transport({ token, maxRetries, timeoutMs, maxWaitMs, fetch }: TransportOptions) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', randomKey());
    }
    for (let retries = 0; ; retries++) {
      request.headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
      const outcome = await attempt(request, fetch, timeoutMs);
      const wait = pause(retries, outcome);
      if (retries >= maxRetries || !isPassing(outcome) || wait > maxWaitMs) return settle(outcome);
      if (outcome instanceof Response) await outcome.body?.cancel();
      await sleep(wait, request.signal);
    }
  };
}

/** 128 random bits. `crypto.randomUUID` is missing on pages that browsers got over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Rejects with the signal's reason as soon as it is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

async function attempt(
  request: Request,
  fetch: TransportOptions['fetch'],
  timeoutMs: number,
): Promise<Response | ConnectionError> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    // A redirect would turn a POST into a GET.
    return await fetch(new Request(request.clone(), { signal, redirect: 'manual' }));
  } catch (cause) {
    request.signal.throwIfAborted();
    const { origin } = new URL(request.url);
    return new ConnectionError(`No answer came from ${origin}.`, { cause });
  }
}

function isPassing(outcome: Response | ConnectionError): boolean {
  return !(outcome instanceof Response) || PASSING.has(outcome.status);
}

function settle(outcome: Response | ConnectionError): Response {
  if (!(outcome instanceof Response)) throw outcome;
  // Browsers hide the status and the headers of a redirect.
  if (outcome.type === 'opaqueredirect' || (outcome.status >= 300 && outcome.status < 400)) {
    throw new ConnectionError(
      `The server wants to be reached at ${outcome.headers.get('location') ?? 'another address'}: correct baseUrl.`,
    );
  }
  return outcome;
}

/** The delay in milliseconds: as the server asks, or exponential, with jitter. */
function pause(retries: number, outcome: Response | ConnectionError): number {
  const asked = outcome instanceof Response ? retryAfterSeconds(outcome) : undefined;
  if (asked !== undefined) return asked * 1000 + Math.random() * FIRST_PAUSE_MS;
  return (0.5 + Math.random() / 2) * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries);
}
