import { Injectable } from '@nestjs/common';
import { PublicError } from '../../kernel/errors';
import { PolicyRunner } from '../../kernel/policies';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { traceStep } from '../tracing/tracing';

/** Rows stay locked while a policy runs. */
const SLOW_MS = 1000;

/** Gives each policy a span of the trace, and logs those that fail or are slow. */
@Injectable()
export class ObservedPolicyRunner extends PolicyRunner {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {
    super();
  }

  async run<Result>(policy: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const tellThatItRuns = () =>
      this.logger.warn(
        { policy },
        'a policy has run for a second, and still runs: rows are locked meanwhile',
      );
    const timer = setTimeout(tellThatItRuns, SLOW_MS);
    try {
      return await traceStep(policy, work);
    } catch (error) {
      if (!(error instanceof PublicError)) {
        this.logger.error({ policy, ...describeError(error) }, 'a policy failed');
      }
      throw error;
    } finally {
      clearTimeout(timer);
      const durationMs = Math.round(performance.now() - startedAt);
      if (durationMs >= SLOW_MS) this.logger.warn({ policy, durationMs }, 'a policy was slow');
    }
  }

  async overrule<Result>(policy: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.unitOfWork.run(() => this.run(policy, work));
    } catch (error) {
      const what = 'a policy refused a change that follows from a fact, and was overruled';
      if (error instanceof PublicError) this.logger.warn({ policy, code: error.code }, what);
      return undefined;
    }
  }
}
