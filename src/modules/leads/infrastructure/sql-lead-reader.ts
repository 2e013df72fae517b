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

/** Reads go straight to SQL: an entity that nobody changes is not worth making. */
@Injectable()
export class SqlLeadReader extends LeadReader {
  constructor(private readonly database: Database) {
    super();
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: LeadId): Promise<LeadView | undefined> {
    const [row] = await this.database.query<Row>({
      text: `SELECT ${COLUMNS} FROM leads WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: [toUuid(workspaceId), mode, toUuid(id)],
    });
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
    const text = pageQuery({
      columns: COLUMNS,
      from: 'leads',
      conditions: conditionsOf(ref, filter, parameters),
      parameters,
      sort: SORT_COLUMNS[request.sort.field],
      request,
      afterId: request.after && toUuid(request.after.id as LeadId),
    });
    const rows = await this.database.query<PageRow<Row>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, toView);
  }
}

function conditionsOf(
  { workspaceId, mode }: WorkspaceRef,
  filter: LeadFilter,
  parameters: Parameters,
): string[] {
  const conditions = [
    `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
    `mode = ${parameters.add(mode)}`,
  ];
  const narrow = (value: unknown, condition: (place: string) => string) => {
    if (value !== undefined) conditions.push(condition(parameters.add(value)));
  };
  if (filter.archived !== 'all')
    conditions.push(`archived_at IS ${filter.archived === 'true' ? 'NOT NULL' : 'NULL'}`);
  narrow(filter.stage, (place) => `stage = ${place}`);
  narrow(filter.email, (place) => `lower(email) = lower(${place}::text COLLATE "und-x-icu")`);
  narrow(filter.tag, (place) => `tags @> ARRAY[${place}::text]`);
  narrow(filter.source, (place) => `source = ${place}`);
  narrow(filter.eventDateFrom, (place) => `event_date >= ${place}::date`);
  narrow(filter.eventDateTo, (place) => `event_date <= ${place}::date`);
  narrow(filter.createdAfter, (place) => `created_at > ${place}::timestamptz`);
  narrow(filter.createdBefore, (place) => `created_at < ${place}::timestamptz`);
  narrow(filter.updatedAfter, (place) => `updated_at > ${place}::timestamptz`);
  // One parameter for any number of words, so that there is one statement for all searches.
  narrow(filter.words?.map(containing), (place) => `search_text LIKE ALL (${place}::text[])`);
  return conditions;
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
