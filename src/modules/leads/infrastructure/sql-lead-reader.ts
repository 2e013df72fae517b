import { Injectable } from '@nestjs/common';
import { fromUuid, type LeadId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
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
import { SharedReads } from '../../../platform/persistence/shared-reads';
import { type LeadFilter, LeadReader, type LeadSortField } from '../application/lead-queries';
import type { LeadView, Stage } from '../domain/lead';
import { type Finding, findingBy, type SearchedWord, WordSearch } from './word-counts/word-search';

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
  private readonly rows: SharedReads<Row>;

  constructor(
    private readonly database: Database,
    private readonly words: WordSearch,
  ) {
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
    const word = wordAlone(ref, filter);
    const known = word && (await this.words.wayTo(word, depthOf(request)));
    const way = known?.isListed || isOneRange(filter, request) ? known : undefined;
    const slice =
      word &&
      way &&
      (await this.read(ref, filter, request, (parameters) => findingBy(word, way, parameters)));
    return slice && isWhole(slice, request)
      ? slice
      : (await this.read(ref, filter, request, (parameters) => plainFinding(ref, filter, parameters)))!;
  }

  /** Undefined when the total can't be told this way. */
  private async read(
    ref: WorkspaceRef,
    { archived, stage }: LeadFilter,
    request: PageRequest<LeadSortField>,
    findBy: (parameters: Parameters) => Finding,
  ): Promise<Slice<LeadView> | undefined> {
    const parameters = new Parameters();
    const owner = ownedBy(ref, parameters);
    const atStage = stage === undefined ? [] : [`stage = ${parameters.add(stage)}`];
    const finding = findBy(parameters);
    const text = pageQuery({
      columns: COLUMNS,
      from: 'leads',
      ...finding,
      conditions: [
        ...owner,
        ...(archived === 'all' ? [] : [ARCHIVED[archived]]),
        ...atStage,
        ...finding.conditions,
      ],
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
      plannedAnew: finding.conditions.length > 0 || finding.walked !== undefined,
    });
    return rows[0]?.total_count === null ? undefined : toSlice(rows, request.limit, toView);
  }
}

function ownedBy({ workspaceId, mode }: WorkspaceRef, parameters: Parameters): string[] {
  return [`workspace_id = ${parameters.add(toUuid(workspaceId))}`, `mode = ${parameters.add(mode)}`];
}

/** Whether the page has all that it should, by the total. How much follows a cursor isn't known: then only a full one has. */
function isWhole({ items, hasMore, total }: Slice<LeadView>, { page, limit, after }: PageRequest): boolean {
  return hasMore || (!after && items.length >= total - (page - 1) * limit);
}

/** By whatever conditions. Those of all leads, or of all at a stage, are counted as they change. */
function plainFinding(ref: WorkspaceRef, filter: LeadFilter, parameters: Parameters): Finding {
  const conditions = conditionsOf(filter, parameters);
  if (!conditions.length) return { conditions, total: countedSum(ref, filter, parameters) };
  // The index for words and tags knows no order. Walking another until enough have been met may take all of it.
  return { conditions, foundOnce: filter.words !== undefined || filter.tag !== undefined };
}

/** The one thing that is searched for, if it is one word. */
function wordAlone(ref: WorkspaceRef, { words, archived, ...others }: LeadFilter): SearchedWord | undefined {
  const [word, ...more] = words ?? [];
  if (
    word === undefined ||
    more.length ||
    Object.values<unknown>(others).some((value) => value !== undefined)
  )
    return;
  return { ref, word: foldText(word), archived: archived === 'all' ? [false, true] : [archived === 'true'] };
}

/** As an order that can be walked has to be. */
function isOneRange({ archived }: LeadFilter, { sort }: PageRequest<LeadSortField>): boolean {
  return archived !== 'all' && !SORT_COLUMNS[sort.field].nullable;
}

const depthOf = ({ page, limit, after }: PageRequest) => (after ? limit : page * limit) + 1;

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
    revision: row.revision,
  };
}
