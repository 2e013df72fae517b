// Imported before anything else, since what is traced has to be loaded after what traces it.
import { readEnvironment } from '../config/load-configuration';
import { isTracingWanted } from './is-wanted';
import { useTracing } from './tracing';

const environment = readEnvironment();
if (isTracingWanted(environment, (problem) => console.error(problem))) {
  // OpenTelemetry looks at the process's own variables alone, and knows of no .env.
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith('OTEL_')) process.env[name] ??= value;
  }
  // Not loaded by anyone who doesn't want it: it is larger than all else that we load.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { OpenTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  useTracing(new OpenTelemetry());
}
