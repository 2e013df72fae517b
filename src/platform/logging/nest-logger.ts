import type { LoggerService } from '@nestjs/common';
import { describeError } from './describe-error';
import type { Logger } from './logger';

/** Writes Nest's own messages to the service's log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const fields = message instanceof Error ? describeError(message) : { context: rest.at(-1) };
    this.logger.error(fields, message instanceof Error ? 'framework error' : String(message));
  }
}
