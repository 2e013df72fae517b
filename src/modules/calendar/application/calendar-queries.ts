import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { CalendarEventId, LeadId, SpaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Turns } from '../../../kernel/turns';
import {
  availabilityOf,
  type Day,
  type DayAvailability,
  daysOf,
  MAX_ENTRIES,
  tooManyEntries,
  type Use,
} from '../domain/availability';
import type { CalendarEventView, EventStatus, EventType } from '../domain/calendar-event';
import { type CalendarRange, rangeOf } from '../domain/calendar-range';
import type { SpaceView } from '../domain/space';
import { type SpaceFilter, SpaceRepository } from './space-repository';
import { WorkspaceTimeZone } from './workspace-time-zone';

/** Each given condition narrows the list further. */
export interface EventFilter {
  type?: EventType;
  status?: EventStatus;
  spaceId?: SpaceId;
  leadId?: LeadId;
}

/** An event with its instants, which those of an all-day one don’t tell by themselves. */
export interface DatedEvent {
  readonly event: CalendarEventView;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** What a calendar shows of an event in few words. */
export interface EventOutline {
  readonly type: EventType;
  /** No more of it than was asked for. */
  readonly title: string;
  readonly allDay: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** How much to read: of events, and of code points of each title. */
export interface OutlineLimits {
  readonly events: number;
  readonly title: number;
}

/** A year of a hundred spaces takes some 0.2 s to work out. */
const AVAILABILITY_BOUNDS = { atOnce: 1, waitingEach: 50, waiting: 500, retryAfterSeconds: 10 };

export abstract class CalendarReader {
  abstract find(ref: WorkspaceRef, id: CalendarEventId): Promise<CalendarEventView | undefined>;
  /** What takes place in the range, wholly or in part; in the order of the request's only sort, `startsAt`. */
  abstract list(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    request: PageRequest,
  ): Promise<Slice<DatedEvent>>;
  /** The same in few words and without pages, in order of time. */
  abstract outlines(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    limits: OutlineLimits,
  ): Promise<EventOutline[]>;
  /** What of these spaces is used in the range, which is these days; undefined when that is more than `maxEntries`, which costs little. */
  abstract uses(
    ref: WorkspaceRef,
    range: CalendarRange,
    days: readonly Day[],
    spaceIds: readonly SpaceId[],
    maxEntries: number,
  ): Promise<Use[] | undefined>;
}

export interface AvailabilityInput {
  /** Inclusive days of the workspace. */
  from: string;
  to: string;
  spaceId?: SpaceId;
  guests?: number;
}

export interface AvailabilityAnswer {
  timeZone: string;
  days: DayAvailability[];
}

@Injectable()
export class CalendarQueries {
  private readonly turns = new Turns(AVAILABILITY_BOUNDS);

  constructor(
    private readonly reader: CalendarReader,
    private readonly spaces: SpaceRepository,
    private readonly timeZone: WorkspaceTimeZone,
  ) {}

  async get(ref: WorkspaceRef, id: CalendarEventId): Promise<CalendarEventView> {
    const event = await this.reader.find(ref, id);
    if (!event) throw new NotFound('calendar event');
    return event;
  }

  /** `from` and `to` are instants, or days of the workspace. */
  async list(
    ref: WorkspaceRef,
    { from, to }: { from: string; to: string },
    filter: EventFilter,
    request: PageRequest,
  ): Promise<Page<CalendarEventView>> {
    const range = rangeOf(from, to, await this.timeZone.of(ref));
    const slice = await this.reader.list(ref, range, filter, request);
    const page = pageOf(request, slice, ({ startsAt, event }) => ({
      value: startsAt.toISOString(),
      id: event.id,
    }));
    return { ...page, data: page.data.map(({ event }) => event) };
  }

  /** What is confirmed in the range, for people to look at. */
  confirmed(ref: WorkspaceRef, range: CalendarRange, limits: OutlineLimits): Promise<EventOutline[]> {
    return this.reader.outlines(ref, range, { status: 'confirmed' }, limits);
  }

  /** @throws RateLimited when the workspace asks for too much at once */
  async availability(
    ref: WorkspaceRef,
    { from, to, spaceId, guests }: AvailabilityInput,
  ): Promise<AvailabilityAnswer> {
    const timeZone = await this.timeZone.of(ref);
    const range = rangeOf(from, to, timeZone);
    const spaces = spaceId ? await this.namedSpace(ref, spaceId) : await this.spaces.inUse(ref);
    return this.turns.run(ref.workspaceId, async () => {
      const days = daysOf(from, to, timeZone);
      const spaceIds = spaces.map(({ id }) => id);
      const uses = await this.reader.uses(ref, range, days, spaceIds, MAX_ENTRIES);
      if (!uses) throw tooManyEntries();
      return { timeZone, days: await availabilityOf(days, spaces, uses, guests) };
    });
  }

  async getSpace(ref: WorkspaceRef, id: SpaceId): Promise<SpaceView> {
    const [space] = await this.spaces.find(ref, [id]);
    if (!space) throw new NotFound('space');
    return space;
  }

  async listSpaces(ref: WorkspaceRef, filter: SpaceFilter, request: PageRequest): Promise<Page<SpaceView>> {
    const slice = await this.spaces.list(ref, filter, request);
    return pageOf(request, slice, ({ name, id }) => ({ value: name, id }));
  }

  private async namedSpace(ref: WorkspaceRef, id: SpaceId): Promise<SpaceView[]> {
    const found = await this.spaces.find(ref, [id]);
    if (found.length > 0) return found;
    throw new ValidationFailed({ field: 'spaceId', message: 'there is no such space' });
  }
}
