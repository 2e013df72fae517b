import { ValidationFailed } from '../../../kernel/errors';
import { parseId, type UserId } from '../../../kernel/ids';
import type { PageRequest, SortKind } from '../../../kernel/page';
import { codePoints, textProblem } from '../../../kernel/text';
import { isCalendarDate } from '../../../kernel/time';
import { toPageRequest } from '../../../platform/http/page-query';
import type { Path } from '../../../platform/pages/components/link';
import { LEAD_SORT_FIELDS, type LeadFilter, type LeadSortField } from '../application/lead-queries';
import type { StageKey } from '../domain/stage';

/** Each row has a form of its own; with more a page would weigh too much. */
const PAGE_SIZE = 25;
/** A board with more cards weighs too much, but each column has some. */
const MOST_CARDS = 200;
const LEAST_CARDS = 3;
const MAX_TEXT = 200;
const MAX_CURSOR = 2000;
const MAX_WORDS = 10;

const SORT_KINDS: Record<LeadSortField, { kind: SortKind; nullable: boolean }> = {
  createdAt: { kind: 'instant', nullable: false },
  updatedAt: { kind: 'instant', nullable: false },
  eventDate: { kind: 'date', nullable: true },
  name: { kind: 'text', nullable: true },
};

export const GUEST_RANGES: Record<string, { label: string; from: number; to?: number }> = {
  '1-50': { label: 'Up to 50', from: 1, to: 50 },
  '51-100': { label: '51 to 100', from: 51, to: 100 },
  '101-200': { label: '101 to 200', from: 101, to: 200 },
  '201-': { label: 'More than 200', from: 201 },
};

/** What leaves leads out, other than the stage. */
const FILTERS = ['q', 'owner', 'source', 'tag', 'month', 'guests', 'archived'] as const;
/** Changes that show leads of all kinds again. */
export const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, '']));
const PARAMETERS = ['view', 'stage', 'sort', ...FILTERS] as const;
type Parameter = (typeof PARAMETERS)[number];
type Values = Partial<Record<Parameter | 'cursor', string>>;

/** What the list or the board of leads shows: the filters, the order and the place, as they stand in the address. */
export class LeadsView {
  private constructor(private readonly values: Values) {}

  /** Reads an address. What it doesn't know is left out, since people edit addresses and follow old links. */
  static read(given: Record<string, unknown>): LeadsView {
    const texts = PARAMETERS.map((name) => [name, textOf(given[name], MAX_TEXT)] as const);
    const cursor = ['cursor', textOf(given.cursor, MAX_CURSOR)] as const;
    const values: Values = Object.fromEntries([...texts, cursor].filter(([, text]) => text !== ''));
    if (values.month && !isCalendarDate(`${values.month}-01`)) delete values.month;
    if (values.guests && !(values.guests in GUEST_RANGES)) delete values.guests;
    if (values.owner && !['me', 'none'].includes(values.owner) && !parseId('user', values.owner)) {
      delete values.owner;
    }
    if (values.sort && !LEAD_SORT_FIELDS.includes(values.sort.replace('-', '') as LeadSortField)) {
      delete values.sort;
    }
    return new LeadsView(values);
  }

  /** The same from the text of a query, such as a form carries along. */
  static parse(query: string): LeadsView {
    return LeadsView.read(Object.fromEntries(new URLSearchParams(query)));
  }

  /** Without a stage that isn't one of these, as an old link may name one. */
  knowing(stages: readonly StageKey[]): LeadsView {
    const { stage, ...others } = this.values;
    return stage === undefined || stages.includes(stage) ? this : new LeadsView(others);
  }

  get(name: Parameter): string {
    return this.values[name] ?? '';
  }

  get isBoard(): boolean {
    return this.values.view === 'board';
  }

  get isArchived(): boolean {
    return this.values.archived === 'true';
  }

  get hasCursor(): boolean {
    return this.values.cursor !== undefined;
  }

  /** Whether it leaves out any leads, other than by their stage. */
  get isNarrowed(): boolean {
    return FILTERS.some((name) => name in this.values);
  }

  get sort(): { field: LeadSortField; descending: boolean } {
    const { sort = '-createdAt' } = this.values;
    return { field: sort.replace('-', '') as LeadSortField, descending: sort.startsWith('-') };
  }

  filter(visitor: UserId): LeadFilter {
    const { q, stage, owner, source, tag, month, guests } = this.values;
    const range = guests ? GUEST_RANGES[guests] : undefined;
    return {
      stage: stage,
      words: q && [...new Set(q.split(/\s+/u))].slice(0, MAX_WORDS),
      source,
      tag,
      ...(owner && { owner: owner === 'none' ? null : owner === 'me' ? visitor : (owner as UserId) }),
      ...(month && { eventDateFrom: `${month}-01`, eventDateTo: lastDayOf(month) }),
      guestsFrom: range?.from,
      guestsTo: range?.to,
      archived: this.isArchived ? 'true' : 'false',
    } as LeadFilter;
  }

  request(filter: LeadFilter): PageRequest<LeadSortField> {
    const { sort } = this;
    const { cursor } = this.values;
    const options = {
      list: 'leads-page',
      filters: filter,
      sort,
      ...SORT_KINDS[sort.field],
      idPrefix: 'lead',
    };
    const limit = String(PAGE_SIZE);
    try {
      return toPageRequest({ limit, ...(cursor && { cursor }) }, options);
    } catch (error) {
      // Of another view, as an old link may hold.
      if (error instanceof ValidationFailed) return toPageRequest({ limit }, options);
      throw error;
    }
  }

  /** A column of the board: the newest leads at a stage. With many columns, each has fewer. */
  static columnRequest(columns = 1): PageRequest<LeadSortField> {
    const sort = { field: 'createdAt', descending: true } as const;
    const limit = Math.max(LEAST_CARDS, Math.min(PAGE_SIZE, Math.floor(MOST_CARDS / columns)));
    return { page: 1, limit, sort, fingerprint: '' };
  }

  /** The text after the question mark, with these changes. A changed view begins with its first page. */
  query(changes: Values = {}): string {
    const { cursor, ...values } = {
      ...this.values,
      ...(Object.keys(changes).length > 0 && { cursor: '' }),
      ...changes,
    };
    const given = Object.entries({ ...values, cursor }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    );
    return new URLSearchParams(given).toString();
  }

  path(base: Path, changes: Values = {}): Path {
    const query = this.query(changes);
    return query ? `${base}?${query}` : base;
  }
}

function textOf(given: unknown, most: number): string {
  const text = typeof given === 'string' ? given.trim() : '';
  return textProblem(text) || codePoints(text) > most ? '' : text;
}

function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
