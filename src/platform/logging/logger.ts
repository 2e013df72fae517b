import { destination, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';

/**
 * The service's log: JSON lines on standard output, written in the background (waiting for each line cost a third of
 * the throughput) and flushed on exit. What goes in holds no key, body or e-mail address.
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

export function createLogger(level: LogLevel): PinoLogger & Logger {
  const stream = destination({ fd: process.stdout.fd, sync: false, minLength: 4096, periodicFlush: 100 });
  process.on('exit', () => {
    try {
      stream.flushSync();
    } catch {
      // Not even opened: nothing to flush.
    }
  });
  return pino({ level, base: undefined, timestamp: stdTimeFunctions.isoTime }, stream);
}
