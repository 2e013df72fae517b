import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ByteCache } from '../../../kernel/byte-cache';
import type { WorkspaceRef } from '../../../kernel/principal';
import { SharedWork } from '../../../kernel/shared-work';
import { slices } from '../../../kernel/slices';
import { Turns } from '../../../kernel/turns';
import { type CalendarFeed, FeedContents, MAX_FEED_EVENTS } from '../application/feed-contents';
import { CALENDAR_END, calendarEntry, calendarStart } from './ical';

/** The most bytes of one feed's events: about 10,000 short events. Calendar programs have trouble with more. */
const MAX_FEED_BYTES = 5 * 1024 * 1024;
/** The most bytes of all cached feeds together. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const BOUNDS = { atOnce: 2, waitingEach: 1, waiting: 100, retryAfterSeconds: 10 };
/** The pause after building a feed, as a multiple of the build time: a calendar takes at most a fifth of the time. */
const REST = 4;
const LONGEST_REST_MS = 5000;

interface FeedBody {
  readonly version: string;
  readonly content: Buffer;
  readonly bytes: number;
}

/**
 * The bodies of feeds. A feed is built when a version is requested that isn't cached: once for all concurrent requests of a
 * calendar, and only a few at a time.
 */
@Injectable()
export class FeedBodies {
  private readonly kept = new ByteCache<FeedBody>(MAX_KEPT_BYTES);
  private readonly versions = new SharedWork<string>();
  private readonly builds = new SharedWork<FeedBody>();
  private readonly turns = new Turns(BOUNDS);
  private readonly rests = new Map<string, Promise<void>>();

  constructor(private readonly contents: FeedContents) {}

  /** The current version. Costs a few statements and builds nothing. */
  version(ref: WorkspaceRef): Promise<string> {
    return this.versions.run(keyOf(ref), () => this.contents.version(ref));
  }

  /**
   * The body of that version or a later one.
   *
   * @throws RateLimited when too many feeds wait to be built
   */
  async get(ref: WorkspaceRef, version: string): Promise<FeedBody> {
    return this.find(ref, version) ?? this.builds.run(keyOf(ref), () => this.build(ref));
  }

  private find(ref: WorkspaceRef, version: string): FeedBody | undefined {
    const body = this.kept.get(keyOf(ref));
    return body?.version === version ? body : undefined;
  }

  private async build(ref: WorkspaceRef): Promise<FeedBody> {
    const key = keyOf(ref);
    // The previous build may already have the requested version.
    const kept = this.find(ref, await this.version(ref));
    if (kept) return kept;
    await this.rests.get(key);
    return this.turns.run(key, async () => {
      const startedAt = performance.now();
      const body = await this.contents.read(ref, compose);
      this.kept.set(key, body);
      const rest = Math.min(LONGEST_REST_MS, REST * (performance.now() - startedAt));
      this.rests.set(
        key,
        sleep(rest, undefined, { ref: false }).then(() => void this.rests.delete(key)),
      );
      return body;
    });
  }
}

/** Builds a feed in slices. If it is too long, the oldest events are left out, then those furthest ahead. */
async function compose({ pages, ...feed }: CalendarFeed): Promise<FeedBody> {
  const pause = slices();
  const entries: { at: Date; lines: Buffer }[] = [];
  let bytes = 0;
  let isCut = false;
  reading: for await (const { events, spaceNames } of pages) {
    for (const event of events) {
      const lines = calendarEntry(event, spaceNames);
      isCut = entries.length === MAX_FEED_EVENTS || bytes + lines.length > MAX_FEED_BYTES;
      if (isCut) break reading;
      bytes += lines.length;
      entries.push({ at: event.startsAt, lines });
      await pause();
    }
  }
  const inOrder = entries.sort((one, other) => one.at.getTime() - other.at.getTime());
  const events = inOrder.map(({ lines }) => lines);
  const content = Buffer.concat([calendarStart(feed, isCut), ...events, CALENDAR_END]);
  return { version: feed.version, content, bytes: content.length };
}

function keyOf({ workspaceId, mode }: WorkspaceRef): string {
  return `${workspaceId} ${mode}`;
}
