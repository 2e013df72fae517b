import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { DiscreetExporter } from './discreet-exporter';

test('what an error quotes is not told, that there was one is', () => {
  const exported: ReadableSpan[] = [];
  const exporter: SpanExporter = {
    export: (spans) => void exported.push(...spans),
    shutdown: () => Promise.resolve(),
  };
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(new DiscreetExporter(exporter))],
  });
  const span = provider.getTracer('test').startSpan('query');
  span.setAttribute('error.type', '22P02');
  span.recordException(new Error('invalid input syntax: "ana@example.com"'));
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'invalid input syntax: "ana@example.com"' });
  span.end();
  const [told] = exported;
  expect(told).toMatchObject({ name: 'query', attributes: { 'error.type': '22P02' } });
  expect(told!.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(told!.events).toEqual([]);
  expect(told!.spanContext()).toEqual(span.spanContext());
});
