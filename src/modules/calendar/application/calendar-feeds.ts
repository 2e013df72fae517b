import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { SpaceId, UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token';
import { DAY_MS } from '../../../kernel/time-zone';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { WorkspaceRepository } from '../../workspaces';
import type { CalendarAction } from './calendar-actions';
import { CalendarReader, type DatedEvent } from './calendar-queries';
import { SpaceRepository } from './space-repository';

const DAYS_BACK = 366;
const DAYS_AHEAD = 731;
/** As much as calendar programs bear. */
const MAX_EVENTS = 10_000;

export abstract class CalendarFeedRepository {
  /** Puts it in the place of the link before; false for somebody who doesn’t belong to the workspace any more. */
  abstract put(ref: WorkspaceRef, userId: UserId, hash: Buffer, now: Date): Promise<boolean>;
  /** Whether there was one. */
  abstract remove(ref: WorkspaceRef, userId: UserId): Promise<boolean>;
  abstract madeAt(ref: WorkspaceRef, userId: UserId): Promise<Date | undefined>;
  /** The hash is what finds the workspace. */
  abstract findByHash(hash: Buffer): Promise<WorkspaceRef | undefined>;
}

/** A calendar as other programs subscribe to it. */
export interface CalendarFeed {
  readonly ref: WorkspaceRef;
  readonly workspaceName: string;
  readonly timeZone: string;
  readonly events: readonly DatedEvent[];
  readonly spaceNames: ReadonlyMap<SpaceId, string>;
}

/** The secret links by which people see a calendar in a program of theirs: one for each person and calendar. */
@Injectable()
export class CalendarFeeds {
  constructor(
    private readonly feeds: CalendarFeedRepository,
    private readonly reader: CalendarReader,
    private readonly spaces: SpaceRepository,
    private readonly workspaces: WorkspaceRepository,
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

  /** From a year ago to two years ahead, cancelled events included: programs take away what they are told is cancelled. */
  async open(token: string): Promise<CalendarFeed> {
    const ref = await this.feeds.findByHash(hashSecretToken(token));
    const workspace = ref && (await this.workspaces.find(ref.workspaceId));
    if (!workspace) throw new NotFound('calendar: the link was revoked, or not copied whole');
    const today = this.clock.now();
    const now = today.getTime();
    const from = new Date(now - DAYS_BACK * DAY_MS);
    const to = new Date(now + DAYS_AHEAD * DAY_MS);
    // What is to come goes before what was, should there be more than a program takes.
    const upcoming = await this.reader.within(ref, { from: today, to }, {}, MAX_EVENTS);
    const past = await this.reader.within(ref, { from, to: today }, {}, MAX_EVENTS - upcoming.length);
    const byId = new Map([...past, ...upcoming].map((dated) => [dated.event.id, dated]));
    const events = [...byId.values()];
    const spaceIds = [...new Set(events.flatMap(({ event }) => event.spaceIds))];
    const spaces = await this.spaces.find(ref, spaceIds);
    return {
      ref,
      workspaceName: workspace.name,
      timeZone: workspace.timeZone,
      events,
      spaceNames: new Map(spaces.map(({ id, name }) => [id, name])),
    };
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
