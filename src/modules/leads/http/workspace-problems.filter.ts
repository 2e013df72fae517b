import { type ArgumentsHost, Catch } from '@nestjs/common';
import type { Request } from 'express';
import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
import { ErrorFilter } from '../../../platform/http/error.filter';
import { isObject } from '../../../platform/http/field-rules';
import { gathered } from '../../../platform/http/query-parameter';
import { Logger } from '../../../platform/logging/logger';
import { CustomFieldReader } from '../application/custom-field-reader';
import { StageEntry } from '../application/stage-entry';
import type { GivenValues } from '../domain/custom-fields';
import { isStageKey } from '../domain/stage';

/**
 * Names an unknown stage and wrong custom values beside the other problems of a request. Validation lets them through, because
 * only the workspace knows its stages and fields, and other problems end the request before these are looked for.
 */
@Catch(ValidationFailed)
export class WorkspaceProblemsFilter extends ErrorFilter {
  constructor(
    logger: Logger,
    private readonly entry: StageEntry,
    private readonly customFields: CustomFieldReader,
  ) {
    super(logger);
  }

  override catch(error: ValidationFailed, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    void this.completed(error, request).then((whole) => super.catch(whole, host));
  }

  private async completed(error: ValidationFailed, request: Request): Promise<ValidationFailed> {
    const isKnown = ({ field }: FieldProblem) => error.details.some((known) => known.field === field);
    try {
      const found = [...(await this.stageProblems(request)), ...(await this.customProblems(request))];
      const [first, ...more] = error.details;
      return new ValidationFailed(first!, ...more, ...found.filter((problem) => !isKnown(problem)));
    } catch {
      // The request is refused anyway, whatever else goes wrong.
      return error;
    }
  }

  private async stageProblems({ body, query, principal }: Request): Promise<readonly FieldProblem[]> {
    const stage = stageIn(body) ?? stageIn(query);
    try {
      await this.entry.requireKnown(principal!, stage);
      return [];
    } catch (unknown) {
      if (unknown instanceof ValidationFailed) return unknown.details;
      throw unknown;
    }
  }

  private async customProblems({ body, query, principal }: Request): Promise<FieldProblem[]> {
    const given = customIn(body);
    const asked = customIn(gathered(query, ['custom']));
    if (!given && !asked) return [];
    const fields = await this.customFields.find(principal!);
    if (asked) return fields.filterProblems(asked);
    return fields.problemsOnAny(given!);
  }
}

function stageIn(fields: unknown): string | undefined {
  const { stage } = (fields ?? {}) as { stage?: unknown };
  return isStageKey(stage) ? stage : undefined;
}

function customIn(fields: unknown): GivenValues | undefined {
  const { custom } = (fields ?? {}) as { custom?: unknown };
  return isObject(custom) ? (custom as GivenValues) : undefined;
}
