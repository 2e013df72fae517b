import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid } from '../../../kernel/ids';
import { Database } from '../../../platform/persistence/database';
import { cutToSize } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { ChangeReader, type FeedSlice } from '../application/change-feed';
import type { EndpointOwner } from '../application/endpoints-of';
import { FEED_START, type FeedPlace, type FeedPosition } from '../domain/feed-position';
import { EVENT_COLUMNS, type EventRow, isNoTestOfOthers, toView } from './event.reader';

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

/** Its first four are those of `ORDER`. */
type Place = [epoch: number, settlesWith: string, number: string, id: string, epochKey: string];

interface Limits {
  present_epoch: number;
  next_transaction: string;
  knows_after: boolean;
  deleted_place: Place;
  /** How many events were looked at, and the last of them. Null if there was none, or if the page is full. */
  scanned: number | null;
  last_place: Place;
}
type Found = EventRow & { place: Place; page_found: number };

@Injectable()
export class PostgresChangeReader extends ChangeReader {
  constructor(private readonly database: Database) {
    super();
  }

  /** One statement, so that the position is of the events that were looked at, even while others delete some. */
  async read(
    { installationId, ...ref }: EndpointOwner,
    { types, after, limit }: { types?: readonly string[]; after?: FeedPosition; limit: number },
  ): Promise<FeedSlice> {
    const parameters = new Parameters();
    const inWorkspace = parameters.inWorkspace(ref);
    const begin = after ? placeParameters(parameters, after) : DELETED;
    const range = [...inWorkspace, `(${ORDER}) > (${begin})`, IS_SETTLED].join(' AND ');
    const conditions = [
      ...parameters.when(types, (place) => `type = ANY(${place}::text[])`),
      ...(installationId ? [isNoTestOfOthers(parameters.add(toUuid(installationId)))] : []),
    ];
    const most = `${parameters.add(limit)}::int`;
    const keys = `workspace_id, mode, ${ORDER}`;
    const page = `
      SELECT ${ORDER}, ${EVENT_COLUMNS}
      FROM chosen JOIN events USING (${keys})`;
    const scan = types?.length === 0 ? `${NEWEST_FIRST} LIMIT 1` : `${ORDER} LIMIT ${MOST_SCANNED}`;
    const rows = await this.database.sql<Limits & (Found | { id: null })>(
      `WITH feed AS MATERIALIZED (${LIMITS}),
       scanned AS MATERIALIZED (
         SELECT ${keys}, type, occurred_at FROM events WHERE ${range} ORDER BY ${scan}
       ),
       chosen AS MATERIALIZED (
         SELECT ${keys} FROM scanned AS events ${conditions.length ? `WHERE ${conditions.join(' AND ')}` : ''}
         ORDER BY ${ORDER} LIMIT ${most} + 1
       ),
       last AS (
         SELECT ${ORDER}, (count(*) OVER ())::int AS scanned
         FROM scanned WHERE (SELECT count(*) FROM chosen) <= ${most}
         ORDER BY ${NEWEST_FIRST} LIMIT 1
       )
       SELECT present_epoch, next_transaction, ${knows(parameters, after)} AS knows_after,
         ${placeOf('feed.deleted_')} AS deleted_place,
         last.scanned, ${placeOf('last.')} AS last_place,
         page.*, ${placeOf('page.')} AS place
       FROM feed LEFT JOIN last ON true LEFT JOIN (${cutToSize(page, ORDER)}) AS page ON true ORDER BY ${ORDER}`,
      parameters.values,
    );
    const limits: Limits = rows[0]!;
    const found = rows.filter((row): row is Limits & Found => row.id !== null).slice(0, limit);
    const isCut = (found[0]?.page_found ?? 0) > found.length;
    const deletedUntil = toPosition(limits.deleted_place);
    const lastScanned = limits.scanned === null ? (after ?? deletedUntil) : toPosition(limits.last_place);
    return {
      items: found.map(toView),
      position: isCut ? toPosition(found.at(-1)!.place) : lastScanned,
      hasMore: isCut || limits.scanned === MOST_SCANNED,
      knowsAfter: limits.knows_after,
      deletedUntil,
      end: {
        ...FEED_START,
        epoch: limits.present_epoch,
        settlesWith: BigInt(limits.next_transaction),
      },
    };
  }
}

/**
 * A query for one row; `$1` and `$2` are the workspace and mode. Until a new epoch is known, the former one is complete:
 * its transactions ended with their server.
 */
const LIMITS = `
  SELECT present.epoch AS present_epoch,
    CASE WHEN begun.epoch IS NULL THEN 0 ELSE ${FIRST_OPEN}::text::bigint END AS first_open,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next_transaction,
    coalesce(deleted.epoch, 0) AS deleted_epoch,
    coalesce(deleted.settles_with, 0) AS deleted_settles_with,
    coalesce(deleted.number, 0) AS deleted_number,
    coalesce(deleted.event_id, '${toUuid(FEED_START.id)}') AS deleted_id
  FROM (VALUES (present_epoch())) AS present (epoch)
  LEFT JOIN event_epochs AS begun ON begun.epoch = present.epoch
  LEFT JOIN deleted_events AS deleted ON deleted.workspace_id = $1 AND deleted.mode = $2`;

/** An expression for a `Place`. */
function placeOf(prefix: string): string {
  return `json_build_array(${prefix}epoch, ${prefix}settles_with::text, ${prefix}number::text, ${prefix}id,
    (SELECT key FROM event_epochs AS its WHERE its.epoch = ${prefix}epoch))`;
}

function knows(parameters: Parameters, after: FeedPosition | undefined): string {
  if (!after) return 'true';
  const { epoch, epochKey } = after;
  return `EXISTS (
    SELECT FROM event_epochs WHERE epoch = ${parameters.add(epoch)}::int AND key = ${parameters.add(epochKey)})`;
}

function placeParameters(parameters: Parameters, position: FeedPlace): string {
  const { epoch, settlesWith, number, id } = position;
  return [
    `${parameters.add(epoch)}::int`,
    `${parameters.add(String(settlesWith))}::bigint`,
    `${parameters.add(String(number))}::bigint`,
    `${parameters.add(toUuid(id))}::uuid`,
  ].join(', ');
}

function toPosition([epoch, settlesWith, number, id, epochKey]: Place): FeedPosition {
  return {
    epoch,
    settlesWith: BigInt(settlesWith),
    number: BigInt(number),
    id: fromUuid('evt', id),
    epochKey,
  };
}
