import { type CalendarEventId, fromUuid, type HoldId, type SpaceId, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import type { CalendarRange, HeldTime, HoldStanding } from '../../calendar';
import { type HoldFilter, HoldRepository, type ListedHold } from '../application/hold-repository';
import type { Hold, HoldStatus } from '../domain/hold';
import { holdView, type HoldView } from '../domain/hold-view';
import { HoldSchema } from './hold.schema';

/** The claims that overlap the row `mine`. Without OFFSET, all claims of a space are joined while statistics are old. */
export const CLAIMS_OVER_MINE = `
  SELECT hold_id FROM hold_claims
  WHERE (workspace_id, mode, space_id) = (mine.workspace_id, mine.mode, mine.space_id) AND period && mine.period OFFSET 0`;

/** The live holds that overlap the row of `holds` and meet the condition, by position. */
const rivals = (condition: string) => `
  FROM holds o WHERE (o.workspace_id, o.mode) = (holds.workspace_id, holds.mode) AND ${condition} AND o.id IN (
    SELECT other.hold_id FROM hold_claims mine CROSS JOIN LATERAL (${CLAIMS_OVER_MINE}) AS other
    WHERE (mine.workspace_id, mine.mode, mine.hold_id) = (holds.workspace_id, holds.mode, holds.id))`;
const AHEAD = rivals('o.position < holds.position');
const CHALLENGERS = rivals('o.position > holds.position AND o.challenge_deadline IS NOT NULL');
const STANDING = `ARRAY(SELECT o.id ${AHEAD} ORDER BY o.position) AS ahead,
  ARRAY(SELECT o.id ${CHALLENGERS} ORDER BY o.position) AS challenged_by`;

interface StandingRow {
  ahead: string[];
  challenged_by: string[];
}

/** Reads holds with their rank, which is worked out from their claims at each read. */
export abstract class PostgresHoldReader extends HoldRepository {
  protected readonly statements: EntityStatements<Hold>;

  constructor(protected readonly database: Database) {
    super();
    this.statements = database.statements(HoldSchema);
  }

  async find(ref: WorkspaceRef, id: HoldId): Promise<HoldView | undefined> {
    const [row] = await this.database.sql<StandingRow>(
      `SELECT ${this.statements.columns}, ${STANDING} FROM holds WHERE ${IN_WORKSPACE} AND id = $3`,
      workspaceKey(ref, id),
    );
    return row && this.viewOf(row);
  }

  list(ref: WorkspaceRef, filter: HoldFilter, request: PageRequest<'startsAt'>): Promise<Slice<ListedHold>> {
    const parameters = new Parameters();
    const conditions = conditionsOf(ref, filter, parameters);
    const source = this.statements.sortedBy('startsAt');
    const columns = `${source.columns}, ${STANDING}`;
    return readSlice(this.database, { ...source, columns, conditions, parameters, request }, (row) => {
      const { startsAt } = this.statements.read(row);
      return { view: this.viewOf(row as unknown as StandingRow), startsAt };
    });
  }

  async times(
    ref: WorkspaceRef,
    { from, to }: CalendarRange,
    spaceIds: readonly SpaceId[],
    atMost: number,
  ): Promise<HeldTime[] | undefined> {
    const rows = await this.database.sql<{
      hold_id: string;
      space_id: string;
      starts_at: Date;
      ends_at: Date;
    }>(
      `SELECT hold_id, space_id, lower(period) AS starts_at, upper(period) AS ends_at
       FROM hold_claims c JOIN holds h ON (h.workspace_id, h.mode, h.id) = (c.workspace_id, c.mode, c.hold_id)
       WHERE c.workspace_id = $1 AND c.mode = $2 AND c.space_id = ANY ($3::uuid[]) AND c.period && tstzrange($4, $5)
       ORDER BY h.position LIMIT $6`,
      [...workspaceKey(ref), spaceIds.map(toUuid), from, to, atMost + 1],
    );
    if (rows.length > atMost) return undefined;
    return rows.map(({ hold_id, space_id, starts_at, ends_at }) => ({
      holdId: fromUuid('hold', hold_id),
      spaceId: fromUuid('space', space_id),
      from: starts_at,
      to: ends_at,
    }));
  }

  async beside(ref: WorkspaceRef, eventId: CalendarEventId): Promise<HoldId | undefined> {
    const [row] = await this.database.sql<{ id: string }>(
      `SELECT id FROM holds WHERE ${IN_WORKSPACE} AND calendar_event_id = $3`,
      workspaceKey(ref, eventId),
    );
    return row && fromUuid('hold', row.id);
  }

  async standings(
    ref: WorkspaceRef,
    eventIds: readonly CalendarEventId[],
  ): Promise<ReadonlyMap<CalendarEventId, HoldStanding>> {
    const rows = await this.database.sql<{ event_id: string; rank: number; answer_by: Date | null }>(
      `SELECT calendar_event_id AS event_id, answer_by, 1 + (SELECT count(*) ${AHEAD})::int AS rank
       FROM holds WHERE ${IN_WORKSPACE} AND calendar_event_id = ANY ($3::uuid[]) AND status = 'active'`,
      [...workspaceKey(ref), eventIds.map(toUuid)],
    );
    return new Map(
      rows.map(({ event_id, rank, answer_by }) => [fromUuid('cal', event_id), { rank, answerBy: answer_by }]),
    );
  }

  private viewOf(row: StandingRow): HoldView {
    const ids = (uuids: readonly string[]) => uuids.map((uuid) => fromUuid('hold', uuid));
    return holdView(this.statements.read(row), {
      ahead: ids(row.ahead),
      challengedBy: ids(row.challenged_by),
    });
  }
}

function conditionsOf(
  ref: WorkspaceRef,
  { status, spaceId, leadId, group, range = {}, expiresBefore, challenged }: HoldFilter,
  parameters: Parameters,
): string[] {
  return [
    ...parameters.inWorkspace(ref),
    // Literal, since the indexes of live holds can't be used with a parameter.
    ...(status ? [`status = '${status}'`] : []),
    ...parameters.when(spaceId && toUuid(spaceId), (space) => `space_ids @> ARRAY[${space}::uuid]`),
    ...parameters.when(leadId && toUuid(leadId), (lead) => `lead_id = ${lead}`),
    ...parameters.when(group, (name) => `group_name = ${name}`),
    // Periods last at most 366 days, so the index scan can begin near the range instead of at the oldest hold.
    ...parameters.when(
      range.from,
      (at) => `ends_at > ${at}::timestamptz AND starts_at > ${at}::timestamptz - interval '368 days'`,
    ),
    ...parameters.when(range.to, (at) => `starts_at < ${at}::timestamptz`),
    ...parameters.when(expiresBefore, (at) => `expires_at < ${at}::timestamptz`),
    ...liveDuring(status, range, parameters),
    ...(challenged === undefined ? [] : [`${challenged ? '' : 'NOT '}EXISTS (SELECT ${CHALLENGERS})`]),
  ];
}

/** Excludes none that the other conditions include, but finds the live holds of a few days among all by their claims. */
function liveDuring(
  status: HoldStatus | undefined,
  { from, to }: Partial<CalendarRange>,
  parameters: Parameters,
): string[] {
  if (status !== 'active' || !from || !to || from >= to) return [];
  const range = `tstzrange(${parameters.add(from)}, ${parameters.add(to)})`;
  const ids = `SELECT hold_id FROM hold_claims WHERE ${IN_WORKSPACE} AND period && ${range}`;
  // An array is read once, whatever else the planner does.
  return [`id = ANY (ARRAY(${ids}))`];
}
