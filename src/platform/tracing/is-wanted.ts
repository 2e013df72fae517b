type Environment = Record<string, string | undefined>;

/**
 * Whether OpenTelemetry's standard variables enable tracing.
 *
 * @param complain is told about unsupported settings
 */
export function isTracingWanted(environment: Environment, complain: (problem: string) => void): boolean {
  const value = (name: string) => environment[name]?.trim() || undefined;
  const first = (...names: string[]) => names.find((name) => value(name));
  if (value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const exporter = value('OTEL_TRACES_EXPORTER');
  if (exporter === 'none') return false;
  if (!exporter && !first('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT')) return false;
  if (exporter && exporter !== 'otlp') {
    complain(`OTEL_TRACES_EXPORTER must be otlp or none. Nothing is traced.`);
    return false;
  }
  const protocol = first('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol && value(protocol) !== 'http/protobuf') {
    complain(
      `${protocol} must be http/protobuf, the default (collectors take it at port 4318). Nothing is traced.`,
    );
    return false;
  }
  return true;
}
