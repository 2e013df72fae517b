import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import { type CalendarEventId, type LeadId, type SpaceId, toUuid } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest, type Slice, type Sort, wholeList } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Turns } from '../../../kernel/turns';
import {
  availabilityOf,
  type Day,
  type DayAvailability,
  daysOf,
  MAX_ENTRIES,
  NO_HOLDS,
  tooManyEntries,
  type Use,
} from '../domain/availability';
import type { CalendarEventView, EventStatus, EventType } from '../domain/calendar-event';
import { type CalendarRange, rangeOf } from '../domain/calendar-range';
import type { SpaceView } from '../domain/space';
import { type HoldStanding, RankedHolds, type Reading } from './ranked-holds';
import { type SpaceFilter, SpaceRepository } from './space-repository';
import { WorkspaceTimeZone } from './workspace-time-zone';

/** By `id` is by creation, and an order that no change moves an event in. */
export type EventSortField = 'startsAt' | 'id';

/** Each given condition narrows the list further. */
export interface EventFilter {
  type?: EventType;
  status?: EventStatus;
  spaceId?: SpaceId;
  leadId?: LeadId;
}

/** An event with its instants, which can't be read from the dates of an all-day event. */
export interface DatedEvent {
  readonly event: CalendarEventView;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** The fields of an event that a month view shows. */
export interface EventOutline {
  readonly id: CalendarEventId;
  readonly type: EventType;
  /** Cut to the requested length. */
  readonly title: string;
  readonly allDay: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** Of a live ranked hold, also where it stands. */
export interface ShownOutline extends EventOutline {
  readonly standing?: HoldStanding;
}

/** The most events, and the most code points of each title. */
export interface OutlineLimits {
  readonly events: number;
  readonly title: number;
}

/** Computing a year of a hundred spaces takes about 0.2 s. */
const AVAILABILITY_BOUNDS = { atOnce: 1, waitingEach: 50, waiting: 500, retryAfterSeconds: 10 };

export abstract class CalendarReader {
  abstract find(ref: WorkspaceRef, id: CalendarEventId): Promise<Reading<CalendarEventView | undefined>>;
  /** Events that overlap the range. */
  abstract list(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    request: PageRequest<EventSortField>,
  ): Promise<Reading<Slice<DatedEvent>>>;
  /** Overviews of the events that overlap the range, by time and without pages. */
  abstract outlines(
    ref: WorkspaceRef,
    range: CalendarRange,
    filter: EventFilter,
    limits: OutlineLimits,
  ): Promise<Reading<EventOutline[]>>;
  /** See `CalendarQueries.spacesOfLead`; `day` is the day of the lead's event. */
  abstract spacesOfLead(
    ref: WorkspaceRef,
    leadId: LeadId,
    day: CalendarRange | undefined,
    now: Date,
  ): Promise<string[]>;
  /** The uses of these spaces on the days of the range. Undefined for more than `maxEntries`, which is found out cheaply. */
  abstract uses(
    ref: WorkspaceRef,
    range: CalendarRange,
    days: readonly Day[],
    spaceIds: readonly SpaceId[],
    maxEntries: number,
  ): Promise<Reading<Use[] | undefined>>;
}

export interface AvailabilityInput {
  /** Inclusive days in the workspace's time zone. */
  from: string;
  to: string;
  spaceId?: SpaceId;
  /** Known ones, instead of all in use. */
  spaces?: readonly SpaceView[];
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
    private readonly holds: RankedHolds,
  ) {}

  async get(ref: WorkspaceRef, id: CalendarEventId): Promise<CalendarEventView> {
    const { result: event } = await this.holds.settled(ref, () => this.reader.find(ref, id));
    if (!event) throw new NotFound('calendar event');
    return event;
  }

  /** `from` and `to` are instants, or days in the workspace's time zone. */
  async list(
    ref: WorkspaceRef,
    { from, to }: { from: string; to: string },
    filter: EventFilter,
    request: PageRequest<EventSortField>,
  ): Promise<Page<CalendarEventView>> {
    const range = rangeOf(from, to, await this.timeZone.of(ref));
    const { result: slice } = await this.holds.settled(ref, () =>
      this.reader.list(ref, range, filter, request),
    );
    const isById = request.sort.field === 'id';
    const page = pageOf(request, slice, ({ startsAt, event: { id } }) => ({
      value: isById ? toUuid(id) : startsAt.toISOString(),
      id,
    }));
    return { ...page, data: page.data.map(({ event }) => event) };
  }

  /** All events that `list` lists, in the order of their creation, part by part. */
  all(
    ref: WorkspaceRef,
    range: { from: string; to: string },
    filter: EventFilter,
  ): AsyncGenerator<readonly CalendarEventView[], void> {
    const byId: Sort<EventSortField> = { field: 'id', descending: false };
    return wholeList(byId, (request) => this.list(ref, range, filter, request));
  }

  /** Overviews of the confirmed events in the range, for the calendar page. */
  async confirmed(ref: WorkspaceRef, range: CalendarRange, limits: OutlineLimits): Promise<ShownOutline[]> {
    const { result: events, nextHoldAt } = await this.holds.settled(ref, () =>
      this.reader.outlines(ref, range, { status: 'confirmed' }, limits),
    );
    return nextHoldAt ? this.holds.withStandings(ref, events) : events;
  }

  /**
   * The names of the spaces of the next thing that is planned for a lead: first on the day of its event, and events before
   * holds. As they are stored: a hold that is due still counts.
   */
  async spacesOfLead(
    ref: WorkspaceRef,
    { id, eventDate }: { readonly id: LeadId; readonly eventDate: string | null },
    now: Date,
  ): Promise<string[]> {
    const day = eventDate ? rangeOf(eventDate, eventDate, await this.timeZone.of(ref)) : undefined;
    return this.reader.spacesOfLead(ref, id, day, now);
  }

  /** @throws RateLimited when too many of the workspace's requests wait */
  async availability(
    ref: WorkspaceRef,
    { from, to, spaceId, spaces: known, guests }: AvailabilityInput,
  ): Promise<AvailabilityAnswer> {
    const timeZone = await this.timeZone.of(ref);
    const range = rangeOf(from, to, timeZone);
    const named = spaceId ? await this.namedSpace(ref, spaceId) : known;
    const spaces = named ?? (await this.spaces.inUse(ref));
    return this.turns.run(ref.workspaceId, async () => {
      const days = daysOf(from, to, timeZone);
      const spaceIds = spaces.map(({ id }) => id);
      const { result: uses, nextHoldAt } = await this.holds.settled(ref, () =>
        this.reader.uses(ref, range, days, spaceIds, MAX_ENTRIES),
      );
      const held = nextHoldAt ? await this.holds.keeper.times(ref, range, spaceIds, MAX_ENTRIES) : NO_HOLDS;
      if (!uses || !held) throw tooManyEntries();
      return { timeZone, days: await availabilityOf(days, spaces, uses, guests, held) };
    });
  }

  async getSpace(ref: WorkspaceRef, id: SpaceId): Promise<SpaceView> {
    const [space] = await this.spaces.find(ref, [id]);
    if (!space) throw new NotFound('space');
    return space;
  }

  /** Those that there are, archived ones included. */
  getSpaces(ref: WorkspaceRef, ids: readonly SpaceId[]): Promise<SpaceView[]> {
    return this.spaces.find(ref, ids);
  }

  /** All that aren't archived, by name. */
  spacesInUse(ref: WorkspaceRef): Promise<SpaceView[]> {
    return this.spaces.inUse(ref);
  }

  /** The names of the spaces of entries; `known` needn't be read again. */
  async spaceNames(
    ref: WorkspaceRef,
    entries: readonly { readonly spaceIds: readonly SpaceId[] }[],
    known: readonly SpaceView[] = [],
  ): Promise<ReadonlyMap<SpaceId, string>> {
    const names = new Map(known.map(({ id, name }) => [id, name]));
    const ids = new Set(entries.flatMap(({ spaceIds }) => spaceIds));
    const others = await this.spaces.find(
      ref,
      [...ids].filter((id) => !names.has(id)),
    );
    for (const { id, name } of others) names.set(id, name);
    return names;
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
