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
  /** Replaces the person's link. Returns false if they are no longer a member of the workspace. */
  abstract put(ref: WorkspaceRef, userId: UserId, hash: Buffer, now: Date): Promise<boolean>;
  /** Returns whether there was a link. */
  abstract remove(ref: WorkspaceRef, userId: UserId): Promise<boolean>;
  abstract madeAt(ref: WorkspaceRef, userId: UserId): Promise<Date | undefined>;
  /** Finds the workspace and mode by the hash of a token. */
  abstract findByHash(hash: Buffer): Promise<WorkspaceRef | undefined>;
}

/** Secret links for subscribing to a calendar in a calendar program: one for each person and calendar. */
@Injectable()
export class CalendarFeeds {
  constructor(
    private readonly feeds: CalendarFeedRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns the token of a new link. The previous link stops working. */
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

  /** The creation time of the person's link; undefined without a link. */
  madeAt(ref: WorkspaceRef, userId: UserId): Promise<Date | undefined> {
    return this.feeds.madeAt(ref, userId);
  }

  /** @throws NotFound for an unknown or revoked token */
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
