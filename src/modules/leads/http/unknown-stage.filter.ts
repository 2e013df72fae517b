import { type ArgumentsHost, Catch } from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailed } from '../../../kernel/errors';
import { ErrorFilter } from '../../../platform/http/error.filter';
import { Logger } from '../../../platform/logging/logger';
import { StageEntry } from '../application/stage-entry';
import { isStageKey } from '../domain/stage';

/**
 * Names an unknown stage beside the other problems of a request. Validation lets it through, because only the workspace
 * knows its stages, and other problems end the request before its stage is looked for.
 */
@Catch(ValidationFailed)
export class UnknownStageFilter extends ErrorFilter {
  constructor(
    logger: Logger,
    private readonly entry: StageEntry,
  ) {
    super(logger);
  }

  override catch(error: ValidationFailed, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    void this.completed(error, request).then((whole) => super.catch(whole, host));
  }

  private async completed(
    error: ValidationFailed,
    { body, query, principal }: Request,
  ): Promise<ValidationFailed> {
    const stage = stageIn(body) ?? stageIn(query);
    if (stage === undefined || error.details.some(({ field }) => field === 'stage')) return error;
    try {
      await this.entry.requireKnown(principal!, stage);
      return error;
    } catch (unknown) {
      // The request is refused anyway, whatever else goes wrong.
      if (!(unknown instanceof ValidationFailed)) return error;
      const [first, ...more] = error.details;
      return new ValidationFailed(first!, ...more, ...unknown.details);
    }
  }
}

function stageIn(fields: unknown): string | undefined {
  const { stage } = (fields ?? {}) as { stage?: unknown };
  return isStageKey(stage) ? stage : undefined;
}
