import { ValidationFailed } from '../../../kernel/errors';
import { type EventId, fromUuid, parseId } from '../../../kernel/ids';
import { fingerprintOf } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';

/** The place of an event in the order of the change feed, by these fields. */
export interface FeedPlace {
  /** Counts the moves of the database, after which transaction ids may restart. */
  readonly epoch: number;
  /** The transaction that the event waits for: nothing can precede the event once all up to this one have ended. */
  readonly settlesWith: bigint;
  readonly number: bigint;
  /** The order of events from releases without the other fields, which are 0 in them. */
  readonly id: EventId;
}

/** A place in the feed of one database. */
export interface FeedPosition extends FeedPlace {
  /** Tells the epoch from one of the same number in another database that was restored from the same backup. */
  readonly epochKey: string;
}

/** Before every event. */
export const FEED_START: FeedPlace = {
  epoch: 0,
  settlesWith: 0n,
  number: 0n,
  id: fromUuid('evt', '00000000-0000-0000-0000-000000000000'),
};

const MAX_EPOCH = 2 ** 31;
/** Of PostgreSQL's `bigint`. */
const MAX_NUMBER = 2n ** 63n;
const EPOCH_KEY = /^[0-9a-f]{16}$/;
const WHOLE_NUMBER = /^(0|[1-9]\d{0,18})$/;

export function isBefore(one: FeedPlace, other: FeedPlace): boolean {
  if (one.epoch !== other.epoch) return one.epoch < other.epoch;
  if (one.settlesWith !== other.settlesWith) return one.settlesWith < other.settlesWith;
  if (one.number !== other.number) return one.number < other.number;
  return one.id < other.id;
}

export function encodePosition(ref: WorkspaceRef, position: FeedPosition): string {
  const { epoch, settlesWith, number, id, epochKey } = position;
  return Buffer.from([feedOf(ref), epoch, settlesWith, number, id, epochKey].join('.')).toString('base64url');
}

/** @throws ValidationFailed for anything but a position that this service gave for the same workspace and mode */
export function decodePosition(ref: WorkspaceRef, text: string): FeedPosition {
  const [feed, ...fields] = Buffer.from(text, 'base64url').toString().split('.');
  const [epoch = '', settlesWith = '', number = '', id = '', epochKey = ''] = fields;
  const eventId = parseId('evt', id);
  if (feed !== feedOf(ref) || !eventId || ![epoch, settlesWith, number].every(isNumber)) refuse();
  if (!EPOCH_KEY.test(epochKey)) refuse();
  const position = {
    epoch: Number(epoch),
    settlesWith: BigInt(settlesWith),
    number: BigInt(number),
    id: eventId,
    epochKey,
  };
  // Base64 has several spellings of the same bytes, and ignores what isn't base64.
  if (position.epoch >= MAX_EPOCH || encodePosition(ref, position) !== text) refuse();
  return position;
}

function isNumber(text: string): boolean {
  return WHOLE_NUMBER.test(text) && BigInt(text) < MAX_NUMBER;
}

/** @throws ValidationFailed */
function refuse(): never {
  throw new ValidationFailed({
    field: 'after',
    message:
      'is not a position of this feed: send the position of its last answer, or now, or leave it out to begin with the oldest event',
  });
}

function feedOf({ workspaceId, mode }: WorkspaceRef): string {
  return fingerprintOf('changes', workspaceId, mode);
}
