import { Injectable } from '@nestjs/common';
import { type LeadId, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import { withRevision } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { BatchedReader } from '../../../platform/persistence/batched-reader';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { type PageRow, toSlice } from '../../../platform/persistence/keyset';
import { containing } from '../../../platform/persistence/like-pattern';
import { isArchived, Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { CustomFieldReader } from '../application/custom-field-reader';
import { type LeadFilter, LeadReader, type LeadSortField } from '../application/lead-queries';
import { CustomFields } from '../domain/custom-fields';
import type { Lead, LeadView } from '../domain/lead';
import { clearFormerLoss } from '../domain/lost-reason';
import { outcomeAt, type StageKey } from '../domain/stage';
import { leadPage } from './lead-page';
import { LeadSchema } from './lead.schema';
import { HAS_FIELDS } from './own-settings';

interface Row {
  id: string;
  revision: number;
}

/** A row of its own, as opposed to one of a list. */
interface SingleRow extends Row {
  has_fields: boolean;
}

/** More words hardly narrow a search. */
const INDEXED_WORDS = 3;

/** The condition that splits each index in two. */
const PARTS = [...isArchived('false'), ...isArchived('true')];

/** The predicate of the indexes on leads without an owner. */
const UNOWNED = 'owner_id IS NULL';

/** Creates views from rows without entities, since lists are only read. */
@Injectable()
export class PostgresLeadReader extends LeadReader {
  private readonly statements: EntityStatements<Lead>;
  /** See `HAS_FIELDS`. */
  private readonly select: string;
  private readonly rows: BatchedReader<SingleRow>;
  private readonly toView: (row: Row, customFields: CustomFields) => LeadView;

  constructor(
    private readonly database: Database,
    private readonly customFields: CustomFieldReader,
  ) {
    super();
    this.statements = database.statements(LeadSchema);
    const { columns, table } = this.statements;
    this.select = `SELECT ${columns}, ${HAS_FIELDS} AS has_fields FROM ${table} WHERE ${IN_WORKSPACE}`;
    this.rows = new BatchedReader(database, `${this.select} AND id = ANY ($3)`);
    // Lists have no tags, and so no revisions.
    const read = this.statements.plainReader('workspaceId', 'mode', 'revision');
    this.toView = (row, customFields) => {
      const view = read(row);
      const outcome = outcomeAt(view.stage, view.outcome);
      clearFormerLoss(outcome, view);
      return Object.assign(view, { outcome, custom: customFields.shown(view.custom) });
    };
  }

  async find({ workspaceId, mode }: WorkspaceRef, id: LeadId): Promise<LeadView | undefined> {
    const row = await this.rows.find(toUuid(workspaceId), mode, toUuid(id));
    return row && this.viewOf(row, { workspaceId, mode });
  }

  async findByPhone(ref: WorkspaceRef, phone: string): Promise<LeadView | undefined> {
    const [row] = await this.database.sql<SingleRow>(
      `${this.select} AND phone = $3
       ORDER BY archived_at IS NOT NULL, created_at DESC, id DESC LIMIT 1`,
      [...workspaceKey(ref), phone],
    );
    return row && this.viewOf(row, ref);
  }

  async list(
    ref: WorkspaceRef,
    filter: LeadFilter,
    stages: readonly StageKey[] | undefined,
    request: PageRequest<LeadSortField>,
    customFields: CustomFields,
  ): Promise<Slice<LeadView>> {
    const parameters = new Parameters();
    const owner = parameters.inWorkspace(ref);
    const ofOwner = ownerConditions(filter, parameters);
    const each = eachStage(stages, parameters);
    const atStage = stages ? anyOf(each) : [];
    const narrowing = conditionsOf(filter, parameters);
    const isNarrowed = narrowing.length > 0;
    const text = leadPage({
      ...this.statements.sortedBy(request.sort.field),
      owner,
      conditions: [...owner, ...isArchived(filter.archived), ...atStage, ...ofOwner, ...narrowing],
      // The totals of all leads and of each stage are kept up to date by changes.
      total: isNarrowed || filter.owner ? undefined : quickTotal(filter, owner, atStage),
      // The indexes for words, tags and custom fields have no order, and scanning an ordered index until enough rows match may read all of it.
      foundOnce: [filter.words, filter.tag, filter.custom, filter.duplicateOf].some(
        (given) => given !== undefined,
      ),
      parts: partsOf(filter, request.sort.field === 'createdAt' ? each : []),
      parameters,
      request,
    });
    const rows = await this.database.query<PageRow<Row>>({
      text,
      values: parameters.values,
      // Frequent words need a different index from rare ones.
      plannedAnew: isNarrowed || filter.owner !== undefined,
    });
    return toSlice<Row, LeadView>(rows, request.limit, (row) => this.toView(row, customFields));
  }

  async countByStage(ref: WorkspaceRef): Promise<ReadonlyMap<StageKey, number>> {
    const rows = await this.database.sql<{ stage: StageKey; leads: number }>(
      `SELECT stage, sum(leads)::int AS leads FROM lead_counts WHERE ${IN_WORKSPACE} AND NOT archived GROUP BY stage`,
      workspaceKey(ref),
    );
    return new Map(rows.map(({ stage, leads }) => [stage, leads]));
  }

  async countCreated(ref: WorkspaceRef, instants: readonly Date[], most: number): Promise<number[]> {
    // Each part has an index by creation.
    const counts = PARTS.map(
      (part) => `(SELECT count(*) FROM (SELECT FROM leads WHERE ${IN_WORKSPACE} AND ${part}
        AND created_at >= period.starts AND created_at < period.ends LIMIT $5) AS some_leads)`,
    );
    const rows = await this.database.sql<{ found: number }>(
      `SELECT least(${counts.join(' + ')}, $5)::int AS found
       FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period(starts, ends, place) ORDER BY place`,
      [...workspaceKey(ref), instants.slice(0, -1), instants.slice(1), most],
    );
    return rows.map(({ found }) => found);
  }

  async hasAny(workspaceId: WorkspaceId): Promise<boolean> {
    const found = await this.database.sql(
      'SELECT FROM lead_counts WHERE workspace_id = $1 AND leads > 0 LIMIT 1',
      [toUuid(workspaceId)],
    );
    return found.length > 0;
  }

  async areMoreThan(
    count: number,
    ref: WorkspaceRef,
    filter: LeadFilter,
    stages: readonly StageKey[] | undefined,
  ): Promise<boolean> {
    const parameters = new Parameters();
    const conditions = [
      ...parameters.inWorkspace(ref),
      ...isArchived(filter.archived),
      ...(stages ? anyOf(eachStage(stages, parameters)) : []),
      ...ownerConditions(filter, parameters),
      ...conditionsOf(filter, parameters),
    ];
    const some = `SELECT FROM leads WHERE ${conditions.join(' AND ')} LIMIT ${parameters.add(count + 1)}`;
    const text = `SELECT count(*)::int AS found FROM (${some}) AS some_leads`;
    const { values } = parameters;
    const [row] = await this.database.query<{ found: number }>({ text, values, plannedAnew: true });
    return row!.found > count;
  }

  private async viewOf(row: SingleRow, ref: WorkspaceRef): Promise<LeadView> {
    const customFields = row.has_fields ? await this.customFields.findExisting(ref) : CustomFields.NONE;
    return withRevision(this.toView(row, customFields), row.revision);
  }
}

function eachStage(stages: readonly StageKey[] | undefined, parameters: Parameters): string[] {
  return stages?.map((stage) => `stage = ${parameters.add(stage)}`) ?? [];
}

function anyOf(conditions: readonly string[]): string[] {
  return [conditions.length > 0 ? `(${conditions.join(' OR ')})` : 'false'];
}

/** Each stage has its leads by creation in the index, and so a range of its own. */
function partsOf({ archived }: LeadFilter, stages: readonly string[]): readonly string[] {
  const parts = archived === 'all' ? PARTS : [];
  if (stages.length < 2) return parts;
  return parts.length ? parts.flatMap((part) => stages.map((stage) => `${part} AND ${stage}`)) : stages;
}

function quickTotal({ archived, owner }: LeadFilter, tenant: string[], atStage: string[]): string {
  const counted = [...tenant, ...atStage, ...(archived === 'all' ? [] : [`archived = ${archived}`])];
  const all = `SELECT coalesce(sum(leads), 0)::int FROM lead_counts WHERE ${counted.join(' AND ')}`;
  if (owner === undefined) return `(${all})`;
  // Most workspaces have no owners, and needn't count.
  const isOwned = `SELECT FROM leads WHERE ${tenant.join(' AND ')} AND owner_id IS NOT NULL`;
  const unowned = [...tenant, ...atStage, UNOWNED].join(' AND ');
  const counts = (archived === 'all' ? PARTS : isArchived(archived)).map(
    (part) => `(SELECT count(*)::int FROM leads WHERE ${unowned} AND ${part})`,
  );
  return `(CASE WHEN EXISTS (${isOwned}) THEN ${counts.join(' + ')} ELSE (${all}) END)`;
}

function ownerConditions({ owner }: LeadFilter, parameters: Parameters): string[] {
  if (owner === null) return [UNOWNED];
  return parameters.when(owner && toUuid(owner), (id) => `owner_id = ${id}::uuid`);
}

/** All conditions except stage and archived, which have their own indexes. */
function conditionsOf(filter: LeadFilter, parameters: Parameters): string[] {
  const [words, rest] = split(filter.words);
  return [
    ...parameters.when(filter.email, (email) => `fold_text(email) = fold_text(${email})`),
    ...parameters.when(filter.tag, (tag) => `fold_texts(tags) @> ARRAY[fold_text(${tag})]`),
    ...parameters.when(filter.source, (source) => `fold_text(source) = fold_text(${source})`),
    ...parameters.when(filter.externalId, (id) => `external_id = ${id}`),
    ...(filter.duplicateOf ? duplicateConditions(filter.duplicateOf, parameters) : []),
    ...parameters.when(filter.eventDateFrom, (day) => `event_date >= ${day}::date`),
    ...parameters.when(filter.eventDateTo, (day) => `event_date <= ${day}::date`),
    ...parameters.when(filter.guestsFrom, (guests) => `guests >= ${guests}::int`),
    ...parameters.when(filter.guestsTo, (guests) => `guests <= ${guests}::int`),
    ...parameters.when(filter.createdAfter, (at) => `created_at > ${at}::timestamptz`),
    ...parameters.when(filter.createdBefore, (at) => `created_at < ${at}::timestamptz`),
    ...parameters.when(filter.updatedAfter, (at) => `updated_at > ${at}::timestamptz`),
    ...words.flatMap((word) => parameters.when(containing(word), (like) => `search_text LIKE ${like}`)),
    ...parameters.when(
      filter.custom && JSON.stringify(filter.custom),
      (values) => `custom <> '{}' AND fold_values(custom) @> ${values}::jsonb`,
    ),
    ...parameters.when(rest, (patterns) => `search_text LIKE ALL (${patterns}::text[])`),
  ];
}

function duplicateConditions(
  { id, email, phone }: NonNullable<LeadFilter['duplicateOf']>,
  parameters: Parameters,
): string[] {
  const shared = [
    ...parameters.when(email, (address) => `fold_text(email) = fold_text(${address})`),
    ...parameters.when(phone ?? undefined, (number) => `phone = ${number}`),
  ];
  return [`(${shared.join(' OR ')})`, ...parameters.when(toUuid(id), (uuid) => `id <> ${uuid}::uuid`)];
}

/** The index searches for single patterns: it gets the longest words, and the others filter its results. */
function split(words: string[] = []): [indexed: string[], rest: string[] | undefined] {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.slice(INDEXED_WORDS).map(containing);
  return [longestFirst.slice(0, INDEXED_WORDS), rest.length > 0 ? rest : undefined];
}
