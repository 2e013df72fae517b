import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { cutToSize } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { ChangeReader, type FeedSlice } from '../application/change-feed';
import type { EndpointOwner } from '../application/endpoints-of';
import { FEED_START, type FeedPosition } from '../domain/feed-position';
import { type EventRow, isNoTestOfOthers, toView } from './event.reader';

/** How many events one request looks at for those of its types. */
const MOST_SCANNED = 5000;

const ORDER = 'epoch, settles_with, number, id';
const NEWEST_FIRST = 'epoch DESC, settles_with DESC, number DESC, id DESC';
const DELETED = ['deleted_epoch', 'deleted_settles_with', 'deleted_number', 'deleted_id']
  .map((column) => `(SELECT ${column} FROM feed)`)
  .join(', ');
const IS_SETTLED =
  '(epoch, settles_with) < ((SELECT present_epoch FROM feed), (SELECT first_open FROM feed))';

/**
 * The first transaction that may still append events; all earlier ones have ended. Transactions of other databases can't,
 * if the session may see them. One that ended meanwhile isn't found, so it only delays.
 */
const FIRST_OPEN = `coalesce(
  (SELECT running FROM pg_snapshot_xip(pg_current_snapshot()) AS running
   WHERE NOT EXISTS (
     SELECT FROM pg_stat_activity WHERE backend_xid = running::xid AND datname <> current_database()
   ) ORDER BY running LIMIT 1),
  pg_snapshot_xmax(pg_current_snapshot()))`;

interface Place {
  epoch: number;
  settles_with: string;
  number: string;
  id: string;
}
interface Limits {
  present_epoch: number;
  first_open: string;
  next_transaction: string;
  deleted_epoch: number;
  deleted_settles_with: string;
  deleted_number: string;
  deleted_id: string;
}
type Found = EventRow & Place & { page_found: number };

@Injectable()
export class PostgresChangeReader extends ChangeReader {
  constructor(private readonly database: Database) {
    super();
  }

  async read(
    { installationId, ...ref }: EndpointOwner,
    { types, after, limit }: { types?: readonly string[]; after?: FeedPosition; limit: number },
  ): Promise<FeedSlice> {
    const parameters = new Parameters();
    const inWorkspace = parameters.inWorkspace(ref);
    const begin = after ? placeParameters(parameters, after) : DELETED;
    const conditions = [
      ...parameters.when(types, (place) => `type = ANY(${place}::text[])`),
      ...(installationId ? [isNoTestOfOthers(parameters.add(toUuid(installationId)))] : []),
    ];
    const columns = `${ORDER}, type, occurred_at, mode, workspace_id, data, previous`;
    const range = `(${ORDER}) > (${begin}) AND ${IS_SETTLED}`;
    const page = `
      SELECT * FROM (
        SELECT ${columns} FROM events WHERE ${inWorkspace.join(' AND ')} AND ${range}
        ORDER BY ${ORDER} LIMIT ${MOST_SCANNED}
      ) AS events ${conditions.length ? `WHERE ${conditions.join(' AND ')}` : ''}
      ORDER BY ${ORDER} LIMIT ${parameters.add(limit + 1)}`;
    const rows = await this.database.sql<Limits & (Found | { id: null })>(
      `WITH feed AS MATERIALIZED (${limitsOf()})
       SELECT feed.*, page.* FROM feed LEFT JOIN (${cutToSize(page, ORDER)}) AS page ON true ORDER BY ${ORDER}`,
      parameters.values,
    );
    const limits: Limits = rows[0]!;
    const found = rows.filter((row): row is Limits & Found => row.id !== null).slice(0, limit);
    const from = after ?? deletedUntil(limits);
    const isCut = (found[0]?.page_found ?? 0) > found.length;
    const scanned = isCut
      ? { position: toPosition(found.at(-1)!), hasMore: true }
      : await this.scanned(ref, from, limits);
    return {
      ...scanned,
      items: found.map(toView),
      deletedUntil: deletedUntil(limits),
      end: {
        ...FEED_START,
        epoch: limits.present_epoch,
        settlesWith: BigInt(limits.next_transaction),
      },
    };
  }

  async present(ref: WorkspaceRef): Promise<FeedPosition> {
    const parameters = new Parameters();
    const inWorkspace = parameters.inWorkspace(ref).join(' AND ');
    const [row] = await this.database.sql<Limits & (Place | { id: null })>(
      `WITH feed AS MATERIALIZED (${limitsOf()})
       SELECT feed.*, latest.* FROM feed LEFT JOIN (
         SELECT ${ORDER} FROM events WHERE ${inWorkspace} AND (${ORDER}) > (${DELETED}) AND ${IS_SETTLED}
         ORDER BY ${NEWEST_FIRST} LIMIT 1
       ) AS latest ON true`,
      parameters.values,
    );
    return row!.id === null ? deletedUntil(row!) : toPosition(row as Place);
  }

  /** How far a slice has looked. Later statements find the same events: none can be added before `first_open`. */
  private async scanned(
    ref: WorkspaceRef,
    after: FeedPosition,
    { present_epoch, first_open }: Limits,
  ): Promise<{ position: FeedPosition; hasMore: boolean }> {
    const parameters = new Parameters();
    const inWorkspace = parameters.inWorkspace(ref).join(' AND ');
    const range = `(${ORDER}) > (${placeParameters(parameters, after)})
      AND (epoch, settles_with) < (${parameters.add(present_epoch)}::int, ${parameters.add(first_open)}::bigint)`;
    const [last] = await this.database.sql<Place & { scanned: number }>(
      `SELECT *, (count(*) OVER ())::int AS scanned FROM (
         SELECT ${ORDER} FROM events WHERE ${inWorkspace} AND ${range} ORDER BY ${ORDER} LIMIT ${MOST_SCANNED}
       ) AS places ORDER BY ${NEWEST_FIRST} LIMIT 1`,
      parameters.values,
    );
    return last
      ? { position: toPosition(last), hasMore: last.scanned === MOST_SCANNED }
      : { position: after, hasMore: false };
  }
}

/** A query for one row; `$1` and `$2` are the workspace and mode. */
function limitsOf(): string {
  return `
    SELECT now.epoch AS present_epoch, ${FIRST_OPEN}::text::bigint AS first_open,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next_transaction,
      coalesce(deleted.epoch, 0) AS deleted_epoch,
      coalesce(deleted.settles_with, 0) AS deleted_settles_with,
      coalesce(deleted.number, 0) AS deleted_number,
      coalesce(deleted.event_id, '${toUuid(FEED_START.id)}') AS deleted_id
    FROM event_epoch AS now LEFT JOIN deleted_events AS deleted ON deleted.workspace_id = $1 AND deleted.mode = $2`;
}

function placeParameters(parameters: Parameters, position: FeedPosition): string {
  const { epoch, settlesWith, number, id } = position;
  return [
    `${parameters.add(epoch)}::int`,
    `${parameters.add(String(settlesWith))}::bigint`,
    `${parameters.add(String(number))}::bigint`,
    `${parameters.add(toUuid(id))}::uuid`,
  ].join(', ');
}

function toPosition({ epoch, settles_with, number, id }: Place): FeedPosition {
  return { epoch, settlesWith: BigInt(settles_with), number: BigInt(number), id: fromUuid('evt', id) };
}

function deletedUntil(limits: Limits): FeedPosition {
  const { deleted_epoch, deleted_settles_with, deleted_number, deleted_id } = limits;
  return toPosition({
    epoch: deleted_epoch,
    settles_with: deleted_settles_with,
    number: deleted_number,
    id: deleted_id,
  });
}
