import type { IncomingMessage, ServerResponse } from 'node:http';

export type TracedRequest = IncomingMessage & { id?: string; route?: { path: string } };

/** A request to another service. Only the host of its URL is exported: the path and query of a webhook may hold secrets. */
export interface OutgoingCall<Result> {
  name: string;
  method: string;
  url: string;
  /** Null without a response. */
  statusOf: (result: Result) => number | null;
}

export interface Tracing {
  request(request: TracedRequest, response: ServerResponse, next: () => void): void;
  call<Result>(call: OutgoingCall<Result>, work: () => Promise<Result>): Promise<Result>;
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  traceId(): string | undefined;
  /** Exports the remaining spans. */
  stop(): Promise<void>;
}

/** Global, since tracing must start before Nest and the traced modules are loaded. */
let tracing: Tracing | undefined;

export function useTracing(chosen: Tracing): void {
  tracing = chosen;
}

export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Runs `next` within a span that ends with the response. */
export function traceRequest(request: TracedRequest, response: ServerResponse, next: () => void): void {
  if (tracing) tracing.request(request, response, next);
  else next();
}

export function traceCall<Result>(call: OutgoingCall<Result>, work: () => Promise<Result>): Promise<Result> {
  return tracing ? tracing.call(call, work) : work();
}

/** Runs a part of a request within a span of its own. */
export function traceStep<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return tracing ? tracing.step(name, work) : work();
}

/** The id of the current trace, for log lines. */
export function traceFields(): { traceId?: string } {
  const traceId = tracing?.traceId();
  return traceId === undefined ? {} : { traceId };
}

export async function stopTracing(): Promise<void> {
  await tracing?.stop();
}
