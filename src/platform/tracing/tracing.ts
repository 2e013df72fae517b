import type { IncomingMessage, ServerResponse } from 'node:http';

export type TracedRequest = IncomingMessage & { id?: string; route?: { path: string } };

/** A request to another service. Of its address only the host is told: paths and queries of strangers hold secrets. */
export interface OutgoingCall<Result> {
  name: string;
  method: string;
  url: string;
  /** Null when no answer came. */
  statusOf: (result: Result) => number | null;
}

export interface Tracing {
  request(request: TracedRequest, response: ServerResponse, next: () => void): void;
  call<Result>(call: OutgoingCall<Result>, work: () => Promise<Result>): Promise<Result>;
  traceId(): string | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** One for the process, as it has to begin before the modules are loaded that it watches. */
let tracing: Tracing | undefined;

export function useTracing(chosen: Tracing): void {
  tracing = chosen;
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Runs `next` within a span that ends with the answer. */
export function traceRequest(request: TracedRequest, response: ServerResponse, next: () => void): void {
  if (tracing) tracing.request(request, response, next);
  else next();
}

export function traceCall<Result>(call: OutgoingCall<Result>, work: () => Promise<Result>): Promise<Result> {
  return tracing ? tracing.call(call, work) : work();
}

/** For log lines: of the trace in which this is called. */
export function traceFields(): { traceId?: string } {
  const traceId = tracing?.traceId();
  return traceId === undefined ? {} : { traceId };
}

export async function stopTracing(): Promise<void> {
  await tracing?.stop();
}
