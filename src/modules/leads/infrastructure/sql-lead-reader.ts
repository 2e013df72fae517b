import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import { withRevision } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { foldText } from '../../../kernel/text';
import { Database } from '../../../platform/persistence/database';
import {
  pageQuery,
  type PageRow,
  Parameters,
  type SortColumn,
  toSlice,
} from '../../../platform/persistence/keyset';
import { BatchedReader } from '../../../platform/persistence/batched-reader';
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
  revision: number;
}

const COLUMNS =
  'id, name, email, phone, event_date, guests, source, stage, tags, archived_at, created_at, updated_at, revision';

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
  private readonly rows: BatchedReader<Row>;

  constructor(private readonly database: Database) {
    super();
    this.rows = new BatchedReader(
      database,
      `SELECT ${COLUMNS} FROM leads WHERE workspace_id = $1 AND mode = $2 AND id = ANY ($3)`,
    );
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: LeadId): Promise<LeadView | undefined> {
    const row = await this.rows.find(toUuid(workspaceId), mode, toUuid(id));
    return row && withRevision(toView(row), row.revision);
  }

  async findByPhone({ workspaceId, mode }: WorkspaceRef, phone: string): Promise<LeadView | undefined> {
    const [row] = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM leads WHERE workspace_id = $1 AND mode = $2 AND phone = $3
             ORDER BY archived_at IS NOT NULL, created_at DESC, id DESC LIMIT 1`,
      values: [toUuid(workspaceId), mode, phone],
    });
    return row && withRevision(toView(row), row.revision);
  }

  async list(
    ref: WorkspaceRef,
    filter: LeadFilter,
    request: PageRequest<LeadSortField>,
  ): Promise<Slice<LeadView>> {
    const { archived, stage } = filter;
    const parameters = new Parameters();
    const owner = ownedBy(ref, parameters);
    const atStage = stage === undefined ? [] : [`stage = ${parameters.add(stage)}`];
    const found = conditionsOf(filter, parameters);
    const isFiltered = found.length > 0;
    const text = pageQuery({
      columns: COLUMNS,
      from: 'leads',
      conditions: [...owner, ...(archived === 'all' ? [] : [ARCHIVED[archived]]), ...atStage, ...found],
      // All leads, or all at a stage, are counted as they change.
      total: isFiltered ? undefined : countedSum(ref, filter, parameters),
      // The index for words and tags knows no order. Walking another until enough have been met may take all of it.
      foundOnce: filter.words !== undefined || filter.tag !== undefined,
      parts: archived === 'all' ? Object.values(ARCHIVED) : undefined,
      rowKey: owner,
      // A lead has at most 3,500 characters, each of 6 bytes if it is escaped: 2 MiB for 100 leads.
      alwaysFits: true,
      parameters,
      sort: SORT_COLUMNS[request.sort.field],
      request,
      afterId: request.after && toUuid(request.after.id as LeadId),
    });
    const rows = await this.database.query<PageRow<Row>>({
      text,
      values: parameters.values,
      // A frequent word wants another index than a rare one.
      plannedAnew: isFiltered,
    });
    return toSlice(rows, request.limit, toView);
  }
}

function ownedBy({ workspaceId, mode }: WorkspaceRef, parameters: Parameters): string[] {
  return [`workspace_id = ${parameters.add(toUuid(workspaceId))}`, `mode = ${parameters.add(mode)}`];
}

/** What splits each index in two. */
const ARCHIVED = { false: 'archived_at IS NULL', true: 'archived_at IS NOT NULL' };

/** How many leads there are, as they are counted while they change. */
function countedSum(ref: WorkspaceRef, { archived, stage }: LeadFilter, parameters: Parameters): string {
  const conditions = ownedBy(ref, parameters);
  if (archived !== 'all') conditions.push(`archived = ${archived}`);
  if (stage !== undefined) conditions.push(`stage = ${parameters.add(stage)}`);
  return `(SELECT coalesce(sum(leads), 0)::int FROM lead_counts WHERE ${conditions.join(' AND ')})`;
}

/** Of all but the stage and whether archived, which have indexes of their own. */
function conditionsOf(filter: LeadFilter, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const narrow = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(parameters.add(value)));
  };
  narrow(filter.email, (place) => `fold_text(email) = fold_text(${place})`);
  narrow(filter.tag, (place) => `fold_texts(tags) @> ARRAY[fold_text(${place})]`);
  narrow(filter.source, (place) => `fold_text(source) = fold_text(${place})`);
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
  return `%${foldText(word).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Without the revision: lists have no tags. */
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
