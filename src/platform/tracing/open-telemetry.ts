import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { packageVersion } from '../package-version';
import { DiscreetExporter } from './discreet-exporter';
import type { OutgoingCall, TracedRequest, Tracing } from './tracing';

/** An unreachable collector must not keep the service from stopping. */
const LAST_SPANS_MS = 5000;

/**
 * Tracing by OpenTelemetry, exported as OTLP. HTTP is traced by hand, since the standard instrumentation exports whole URLs, and
 * ours can hold secret tokens. Queries are exported with their placeholders, within requests and calls alone.
 */
export class OpenTelemetry implements Tracing {
  private readonly provider: NodeTracerProvider;
  private readonly tracer = trace.getTracer('gala', packageVersion());

  constructor() {
    const complain = (...words: unknown[]) => console.error('Tracing:', ...words);
    const silent = () => undefined;
    const logger = { error: complain, warn: complain, info: silent, debug: silent, verbose: silent };
    diag.setLogger(logger, DiagLogLevel.WARN);
    const named = resourceFromAttributes({ 'service.name': 'gala', 'service.version': packageVersion() });
    this.provider = new NodeTracerProvider({
      resource: defaultResource()
        .merge(named)
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new DiscreetExporter(new OTLPTraceExporter()))],
    });
    this.provider.register();
    registerInstrumentations({
      instrumentations: [new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true })],
    });
  }

  request(request: TracedRequest, response: ServerResponse, next: () => void): void {
    const method = request.method!;
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = { 'http.request.method': method };
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => {
      const route = request.route?.path;
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      if (request.id !== undefined) span.setAttribute('gala.request_id', request.id);
      // Without headers there was no response: the client has left.
      if (response.headersSent) setStatus(span, response.statusCode, 500);
      span.end();
    });
    context.with(trace.setSpan(parent, span), next);
  }

  call<Result>(call: OutgoingCall<Result>, work: () => Promise<Result>): Promise<Result> {
    const { name, method } = call;
    const target = URL.canParse(call.url) ? new URL(call.url) : undefined;
    const attributes = {
      'http.request.method': method,
      ...(target && { 'url.scheme': target.protocol.slice(0, -1), 'server.address': target.hostname }),
    };
    const span = this.tracer.startSpan(`${method} ${name}`, { kind: SpanKind.CLIENT, attributes });
    return within(span, async () => {
      const result = await work();
      setStatus(span, call.statusOf(result), 400);
      return result;
    });
  }

  step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return within(this.tracer.startSpan(name), work);
  }

  traceId(): string | undefined {
    return trace.getActiveSpan()?.spanContext().traceId;
  }

  async stop(): Promise<void> {
    const isSent = this.provider.shutdown().then(
      () => true,
      () => false,
    );
    if (!(await Promise.race([isSent, sleep(LAST_SPANS_MS, false)]))) {
      console.error('Tracing: the last spans could not be sent. Is the collector reachable?');
    }
  }
}

/** Ends the span with the work, whose error it names. */
async function within<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** @param errorsFrom the lowest status that is an error for this side of the wire */
function setStatus(span: Span, status: number | null, errorsFrom: number): void {
  if (status !== null) span.setAttribute('http.response.status_code', status);
  if (status !== null && status < errorsFrom) return;
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(status ?? 'no_answer'));
}
