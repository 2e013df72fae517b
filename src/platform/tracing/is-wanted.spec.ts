import { isTracingWanted } from './is-wanted';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'venue' }, false],
  [endpoint, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: ' ' }, true],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }, false],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'false' }, true],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, true],
])('%j: %s', (environment, expected) => {
  const complaints: string[] = [];
  expect(isTracingWanted(environment, (complaint) => complaints.push(complaint))).toBe(expected);
  expect(complaints).toEqual([]);
});

test.each([
  { ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' },
  { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' },
])('%j can’t be done, and is said so', (environment) => {
  const complaints: string[] = [];
  expect(isTracingWanted(environment, (complaint) => complaints.push(complaint))).toBe(false);
  expect(complaints).toEqual([expect.stringContaining('Nothing is traced.')]);
});
