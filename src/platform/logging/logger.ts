import { destination, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { isTracing, traceFields } from '../tracing/tracing';
import { isWorker } from '../workers/worker';

/**
 * The service's log: JSON lines on standard output, flushed on exit. They are written in the background, because waiting for
 * each line cost a third of the throughput. Never log keys, bodies or email addresses.
 */
export abstract class Logger {
  abstract debug(fields: object, message: string): void;
  abstract info(message: string): void;
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes up to this size aren't interleaved in a pipe that several workers write to (POSIX: at least 512). */
const PIPE_BUFFER = 4096;

export function createLogger(level: LogLevel): PinoLogger & Logger {
  const stream = destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: 2048,
    maxWrite: PIPE_BUFFER,
    periodicFlush: 100,
  });
  process.on('exit', () => {
    try {
      stream.flushSync();
    } catch {
      // The stream isn't open yet, so there is nothing to flush.
    }
  });
  const base = isWorker ? { worker: process.pid } : undefined;
  return pino(
    { level, base, timestamp: stdTimeFunctions.isoTime, ...(isTracing() && { mixin: traceFields }) },
    stream,
  );
}
