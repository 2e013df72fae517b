import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import type { CalendarAction } from './calendar-actions';

export abstract class CalendarFeedRepository {
  /** Puts it in the place of the link before; false for somebody who doesn’t belong to the workspace any more. */
  abstract put(ref: WorkspaceRef, userId: UserId, hash: Buffer, now: Date): Promise<boolean>;
  /** Whether there was one. */
  abstract remove(ref: WorkspaceRef, userId: UserId): Promise<boolean>;
  abstract madeAt(ref: WorkspaceRef, userId: UserId): Promise<Date | undefined>;
  /** The hash is what finds the workspace. */
  abstract findByHash(hash: Buffer): Promise<WorkspaceRef | undefined>;
}

/** The secret links by which people see a calendar in a program of theirs: one for each person and calendar. */
@Injectable()
export class CalendarFeeds {
  constructor(
    private readonly feeds: CalendarFeedRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The token of a new link; the one before stops working. */
  create(ref: WorkspaceRef, person: Person): Promise<string> {
    return this.unitOfWork.run(async () => {
      const token = newSecretToken();
      const isMember = await this.feeds.put(ref, person.id, hashSecretToken(token), this.clock.now());
      if (!isMember) throw new NotFound('workspace');
      await this.record('calendar_feed.created', ref, person);
      return token;
    });
  }

  revoke(ref: WorkspaceRef, person: Person): Promise<void> {
    return this.unitOfWork.run(async () => {
      if (await this.feeds.remove(ref, person.id)) await this.record('calendar_feed.revoked', ref, person);
    });
  }

  /** When the person's link was made; undefined when there is none. */
  madeAt(ref: WorkspaceRef, userId: UserId): Promise<Date | undefined> {
    return this.feeds.madeAt(ref, userId);
  }

  /** The calendar that a link leads to. */
  async locate(token: string): Promise<WorkspaceRef> {
    const ref = await this.feeds.findByHash(hashSecretToken(token));
    if (!ref) throw new NotFound('calendar: the link was revoked, or not copied whole');
    return ref;
  }

  private record(action: CalendarAction, { workspaceId, mode }: WorkspaceRef, actor: Person): Promise<void> {
    return this.auditLog.append({
      workspaceId,
      mode,
      actor,
      action,
      target: { id: actor.id, name: actor.name },
    });
  }
}
