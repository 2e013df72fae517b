import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { DAY_MS } from '../../../kernel/time-zone';
import { type Workspace, WorkspaceRepository } from '../../workspaces';
import type { DatedEvent } from './calendar-queries';
import { SpaceRepository } from './space-repository';

const DAYS_BACK = 366;
const DAYS_AHEAD = 731;
/** As many events as calendar programs bear. */
export const MAX_FEED_EVENTS = 10_000;

/** What a feed looks at. What lasts on `today`'s first instant or begins later is upcoming, the rest is past. */
export interface FeedRange {
  readonly from: Date;
  readonly today: Date;
  readonly to: Date;
}

export abstract class FeedReader {
  /** Runs reads that all see the database as it is at the first of them. */
  abstract inSnapshot<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Changes with every change of the spaces' names and of the events that a feed of this range can hold, whatever
   * clocks say: it is made of ids and of how often each event was changed.
   */
  abstract fingerprint(ref: WorkspaceRef, range: FeedRange): Promise<string>;
  /** In the order in which a feed takes them: upcoming ones, the nearest first, and then past ones, the latest first. */
  abstract pages(ref: WorkspaceRef, range: FeedRange): AsyncIterable<readonly DatedEvent[]>;
}

export interface FeedPage {
  readonly events: readonly DatedEvent[];
  /** Of all spaces of these events. */
  readonly spaceNames: ReadonlyMap<SpaceId, string>;
}

/** A calendar as other programs subscribe to it. */
export interface CalendarFeed {
  readonly version: string;
  readonly ref: WorkspaceRef;
  readonly workspaceName: string;
  readonly timeZone: string;
  /** There may be more events than a feed holds. */
  readonly pages: AsyncIterable<FeedPage>;
}

/**
 * What a feed says: from a year ago to two years ahead, cancelled events included, since programs take away what they
 * are told is cancelled. The range moves on with the days of UTC.
 */
@Injectable()
export class FeedContents {
  constructor(
    private readonly reader: FeedReader,
    private readonly spaces: SpaceRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: Clock,
  ) {}

  /** Two feeds of one calendar and version say the same. */
  async version(ref: WorkspaceRef): Promise<string> {
    return this.versionOf(ref, await this.workspace(ref), this.range());
  }

  /** Hands a calendar, as it is at one moment, to `work`. */
  read<Result>(ref: WorkspaceRef, work: (feed: CalendarFeed) => Promise<Result>): Promise<Result> {
    return this.reader.inSnapshot(async () => {
      const workspace = await this.workspace(ref);
      const range = this.range();
      return work({
        version: await this.versionOf(ref, workspace, range),
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
  ): Promise<string> {
    const parts = [name, timeZone, range.today, await this.reader.fingerprint(ref, range)];
    return JSON.stringify(parts);
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
