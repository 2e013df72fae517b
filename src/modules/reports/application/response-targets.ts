import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { type AuditActionWords, AuditLog } from '../../audit-log';

/** A week. */
export const MAX_TARGET_MINUTES = 10_080;

export const TARGET_ACTIONS = {
  'response_target.changed': 'Changed the response target from {previousMinutes} to {minutes} minutes',
} as const satisfies AuditActionWords;

/** The time within which a workspace means to give leads their first response. */
export interface ResponseTarget {
  /** Null without a target. */
  minutes: number | null;
}

export abstract class ResponseTargetRepository {
  abstract find(ref: WorkspaceRef): Promise<number | null>;
  /** Reads the target, and locks it until the unit of work ends. */
  abstract lock(ref: WorkspaceRef): Promise<number | null>;
  /** @param now leads that were late before then are told of only if there was a target already */
  abstract save(ref: WorkspaceRef, minutes: number | null, now: Date): Promise<void>;
}

@Injectable()
export class ResponseTargets {
  constructor(
    private readonly targets: ResponseTargetRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async get(ref: WorkspaceRef): Promise<ResponseTarget> {
    return { minutes: await this.targets.find(ref) };
  }

  /** @throws ValidationFailed for minutes that aren't from 1 to a week */
  change(ref: WorkspaceRef, actor: Actor, minutes: number | null): Promise<ResponseTarget> {
    const { workspaceId, mode } = ref;
    if (minutes !== null && !(Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_TARGET_MINUTES)) {
      const message = `must be an integer from 1 to ${MAX_TARGET_MINUTES}, or nothing`;
      throw new ValidationFailed({ field: 'minutes', message });
    }
    return this.unitOfWork.run(async () => {
      const previousMinutes = await this.targets.lock(ref);
      if (previousMinutes === minutes) return { minutes };
      await this.targets.save(ref, minutes, this.clock.now());
      await this.auditLog.append({
        ...{ workspaceId, mode, actor },
        action: 'response_target.changed' satisfies keyof typeof TARGET_ACTIONS,
        target: { id: null, name: 'Response target' },
        details: { minutes, previousMinutes },
      });
      return { minutes };
    });
  }
}
