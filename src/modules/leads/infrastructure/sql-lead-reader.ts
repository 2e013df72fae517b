import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { foldCase } from '../../../kernel/text';
import { Database } from '../../../platform/persistence/database';
import {
  pageQuery,
  type PageRow,
  Parameters,
  type SortColumn,
  toSlice,
} from '../../../platform/persistence/keyset';
import { SharedReads } from '../../../platform/persistence/shared-reads';
import { type LeadFilter, LeadReader, type LeadSortField } from '../application/lead-queries';
import type { LeadView, Stage } from '../domain/lead';

interface Row {
  id: string;
  name: string | null;
  email: string;
  phone: string | null;
  event_date: string | null;
  guests: number | null;
  source: string | null;
  stage: Stage;
  tags: string[];
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS =
  'id, name, email, phone, event_date, guests, source, stage, tags, archived_at, created_at, updated_at';

const SORT_COLUMNS: Record<LeadSortField, SortColumn> = {
  createdAt: { column: 'created_at', type: 'timestamptz', nullable: false },
  updatedAt: { column: 'updated_at', type: 'timestamptz', nullable: false },
  eventDate: { column: 'event_date', type: 'date', nullable: true },
  name: { column: 'name', type: 'text', nullable: true },
};

/** More hardly narrow a search any further. */
const INDEXED_WORDS = 3;

/** Reads go straight to SQL: an entity that nobody changes is not worth making. */
@Injectable()
export class SqlLeadReader extends LeadReader {
  private readonly rows: SharedReads<Row>;

  constructor(private readonly database: Database) {
    super();
    this.rows = new SharedReads(
      database,
      `SELECT ${COLUMNS} FROM leads WHERE workspace_id = $1 AND mode = $2 AND id = ANY ($3)`,
    );
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: LeadId): Promise<LeadView | undefined> {
    const row = await this.rows.find(toUuid(workspaceId), mode, toUuid(id));
    return row && toView(row);
  }

  async findByPhone({ workspaceId, mode }: WorkspaceRef, phone: string): Promise<LeadView | undefined> {
    const [row] = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM leads WHERE workspace_id = $1 AND mode = $2 AND phone = $3
             ORDER BY archived_at IS NOT NULL, created_at DESC, id DESC LIMIT 1`,
      values: [toUuid(workspaceId), mode, phone],
    });
    return row && toView(row);
  }

  async list(
    ref: WorkspaceRef,
    filter: LeadFilter,
    request: PageRequest<LeadSortField>,
  ): Promise<Slice<LeadView>> {
    const parameters = new Parameters();
    const owner = [
      `workspace_id = ${parameters.add(toUuid(ref.workspaceId))}`,
      `mode = ${parameters.add(ref.mode)}`,
    ];
    const { archived, stage, ...others } = filter;
    const atStage = stage === undefined ? [] : [`stage = ${parameters.add(stage)}`];
    const narrowed = conditionsOf(others, parameters);
    const text = pageQuery({
      columns: COLUMNS,
      from: 'leads',
      conditions: [...owner, ...(archived === 'all' ? [] : [ARCHIVED[archived]]), ...atStage, ...narrowed],
      parts: archived === 'all' ? Object.values(ARCHIVED) : undefined,
      total: narrowed.length
        ? undefined
        : countedSum([...owner, ...(archived === 'all' ? [] : [`archived = ${archived}`]), ...atStage]),
      rowKey: owner,
      // The index for words and tags knows no order. Walking another until enough have been met may take all of it.
      foundOnce: filter.words !== undefined || filter.tag !== undefined,
      parameters,
      sort: SORT_COLUMNS[request.sort.field],
      request,
      afterId: request.after && toUuid(request.after.id as LeadId),
    });
    const rows = await this.database.query<PageRow<Row>>({
      text,
      values: parameters.values,
      // A frequent word wants another index than a rare one.
      plannedAnew: narrowed.length > 0,
    });
    return toSlice(rows, request.limit, toView);
  }
}

/** What splits each index in two. */
const ARCHIVED = { false: 'archived_at IS NULL', true: 'archived_at IS NOT NULL' };

/** How many leads there are, as they are counted while they change. */
function countedSum(conditions: string[]): string {
  return `(SELECT coalesce(sum(leads), 0)::int FROM lead_counts WHERE ${conditions.join(' AND ')})`;
}

function conditionsOf(filter: Omit<LeadFilter, 'archived' | 'stage'>, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const narrow = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(parameters.add(value)));
  };
  narrow(filter.email, (place) => `lower(email) = lower(${place}::text COLLATE "und-x-icu")`);
  narrow(filter.tag, (place) => `tags @> ARRAY[${place}::text]`);
  narrow(filter.source, (place) => `source = ${place}`);
  narrow(filter.eventDateFrom, (place) => `event_date >= ${place}::date`);
  narrow(filter.eventDateTo, (place) => `event_date <= ${place}::date`);
  narrow(filter.createdAfter, (place) => `created_at > ${place}::timestamptz`);
  narrow(filter.createdBefore, (place) => `created_at < ${place}::timestamptz`);
  narrow(filter.updatedAfter, (place) => `updated_at > ${place}::timestamptz`);
  const [words, rest] = split(filter.words);
  for (const word of words) narrow(containing(word), (place) => `search_text LIKE ${place}`);
  if (rest.length) narrow(rest.map(containing), (place) => `search_text LIKE ALL (${place}::text[])`);
  return conditions;
}

/** The index looks for single patterns: the longest words are given it so, the rest only narrow what it finds. */
function split(words: string[] = []): [string[], string[]] {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  return [longestFirst.slice(0, INDEXED_WORDS), longestFirst.slice(INDEXED_WORDS)];
}

/** A LIKE pattern that finds the word itself, its wildcards taken literally. */
function containing(word: string): string {
  return `%${foldCase(word).replace(/[\\%_]/g, '\\$&')}%`;
}

function toView(row: Row): LeadView {
  return {
    id: fromUuid('lead', row.id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    eventDate: row.event_date,
    guests: row.guests,
    source: row.source,
    stage: row.stage,
    tags: row.tags,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
