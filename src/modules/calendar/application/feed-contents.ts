import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { DAY_MS } from '../../../kernel/time-zone';
import { type Workspace, WorkspaceRepository } from '../../workspaces';
import type { DatedEvent } from './calendar-queries';
import { RankedHolds, type Reading } from './ranked-holds';
import { SpaceRepository } from './space-repository';

const DAYS_BACK = 366;
const DAYS_AHEAD = 731;
/** Calendar programs have trouble with more events. */
export const MAX_FEED_EVENTS = 10_000;

/** The time that a feed covers. Events that end after the first instant of `today` are upcoming, the others past. */
export interface FeedRange {
  readonly from: Date;
  readonly today: Date;
  readonly to: Date;
}

export abstract class FeedReader {
  /** Runs reads in one snapshot of the database, taken at the first read. */
  abstract inSnapshot<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Changes when a space is renamed or an event that a feed of this range can contain changes. It is computed from ids and
   * counts of changes, not from clocks.
   */
  abstract fingerprint(ref: WorkspaceRef, range: FeedRange): Promise<Reading<string>>;
  /** Upcoming events first, by time, then past events, the latest first. */
  abstract pages(ref: WorkspaceRef, range: FeedRange): AsyncIterable<readonly DatedEvent[]>;
}

export interface FeedPage {
  readonly events: readonly DatedEvent[];
  /** The names of the events' spaces. */
  readonly spaceNames: ReadonlyMap<SpaceId, string>;
}

/** A calendar for subscribers. */
export interface CalendarFeed {
  readonly version: string;
  readonly ref: WorkspaceRef;
  readonly workspaceName: string;
  readonly timeZone: string;
  /** May be more events than a feed contains. */
  readonly pages: AsyncIterable<FeedPage>;
}

/**
 * The contents of a feed: events from a year ago to two years ahead. Cancelled events are included, so that calendar
 * programs remove them. The range moves with the days of UTC.
 */
@Injectable()
export class FeedContents {
  constructor(
    private readonly reader: FeedReader,
    private readonly spaces: SpaceRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly holds: RankedHolds,
    private readonly clock: Clock,
  ) {}

  /** Feeds of the same calendar and version have the same contents. */
  async version(ref: WorkspaceRef): Promise<string> {
    const [workspace, range] = [await this.workspace(ref), this.range()];
    const { result } = await this.holds.settled(ref, () => this.versionOf(ref, workspace, range));
    return result;
  }

  /** Calls `work` with a calendar of a version that was asked for just before, or a later one, read in one snapshot. */
  read<Result>(ref: WorkspaceRef, work: (feed: CalendarFeed) => Promise<Result>): Promise<Result> {
    return this.reader.inSnapshot(async () => {
      const workspace = await this.workspace(ref);
      const range = this.range();
      return work({
        version: (await this.versionOf(ref, workspace, range)).result,
        ref,
        workspaceName: workspace.name,
        timeZone: workspace.timeZone,
        pages: this.pages(ref, range),
      });
    });
  }

  private async *pages(ref: WorkspaceRef, range: FeedRange): AsyncIterable<FeedPage> {
    const spaceNames = new Map<SpaceId, string>();
    for await (const events of this.reader.pages(ref, range)) {
      const used = new Set(events.flatMap(({ event }) => event.spaceIds));
      const unknown = [...used].filter((id) => !spaceNames.has(id));
      for (const { id, name } of await this.spaces.find(ref, unknown)) spaceNames.set(id, name);
      yield { events, spaceNames };
    }
  }

  private async versionOf(
    ref: WorkspaceRef,
    { name, timeZone }: Workspace,
    range: FeedRange,
  ): Promise<Reading<string>> {
    const { result, nextHoldAt } = await this.reader.fingerprint(ref, range);
    return { result: JSON.stringify([name, timeZone, range.today, result]), nextHoldAt };
  }

  private async workspace({ workspaceId }: WorkspaceRef): Promise<Workspace> {
    const workspace = await this.workspaces.find(workspaceId);
    if (!workspace) throw new NotFound('workspace');
    return workspace;
  }

  private range(): FeedRange {
    const now = this.clock.now().getTime();
    const today = now - (now % DAY_MS);
    return {
      from: new Date(today - DAYS_BACK * DAY_MS),
      today: new Date(today),
      to: new Date(today + DAYS_AHEAD * DAY_MS),
    };
  }
}
