import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ByteCache } from '../../../kernel/byte-cache';
import type { WorkspaceRef } from '../../../kernel/principal';
import { SharedWork } from '../../../kernel/shared-work';
import { slices } from '../../../kernel/slices';
import { Turns } from '../../../kernel/turns';
import { type CalendarFeed, FeedContents, MAX_FEED_EVENTS } from '../application/feed-contents';
import { CALENDAR_END, calendarEntry, calendarStart } from './ical';

/** Of one feed's events: as much as calendar programs bear, and some 10,000 events with a few words each. */
const MAX_FEED_BYTES = 5 * 1024 * 1024;
/** Of all feeds together that are kept for the next who asks. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const BOUNDS = { atOnce: 2, waitingEach: 1, waiting: 100, retryAfterSeconds: 10 };
/** A calendar rests so many times as long as its feed took to build: however often it changes, it takes a fifth of the time. */
const REST = 4;
const LONGEST_REST_MS = 5000;

interface FeedBody {
  readonly version: string;
  readonly content: Buffer;
  readonly bytes: number;
}

/**
 * The feeds as they are sent. Each is built when somebody asks for a version that isn't kept: one at a time for each
 * calendar, for all who ask at once, and few at a time in all.
 */
@Injectable()
export class FeedBodies {
  private readonly kept = new ByteCache<FeedBody>(MAX_KEPT_BYTES);
  private readonly versions = new SharedWork<string>();
  private readonly builds = new SharedWork<FeedBody>();
  private readonly turns = new Turns(BOUNDS);
  private readonly rests = new Map<string, Promise<void>>();

  constructor(private readonly contents: FeedContents) {}

  /** Of the feed as it is now; costs a few statements and builds nothing. */
  version(ref: WorkspaceRef): Promise<string> {
    return this.versions.run(keyOf(ref), () => this.contents.version(ref));
  }

  /**
   * Of that version or a later one.
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
    // The build before may have been for those who wait for this one, too.
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

/** Builds a feed in slices, and leaves out what is too much: the oldest events, and then those furthest ahead. */
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
