// Imported before anything else, since instrumentation must be loaded before the modules that it traces.
import { readEnvironment } from '../config/load-configuration';
import { isTracingWanted } from './is-wanted';
import { useTracing } from './tracing';

const environment = readEnvironment();
if (isTracingWanted(environment, (problem) => console.error(problem))) {
  // OpenTelemetry reads the environment of the process, not the .env file.
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith('OTEL_')) process.env[name] ??= value;
  }
  // Loaded only when tracing is on, since it is larger than all other modules together.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { OpenTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  useTracing(new OpenTelemetry());
}
