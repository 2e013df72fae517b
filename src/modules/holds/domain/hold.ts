import { ValidationFailed } from '../../../kernel/errors';
import {
  type CalendarEventId,
  type HoldId,
  type LeadId,
  newId,
  type SpaceId,
  type WorkspaceId,
} from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { timeOfChange } from '../../../kernel/time';
import { HOUR_MS, type HoldPolicy } from './hold-policy';

/** In code points. */
export const MAX_TITLE = 300;
export const MAX_NOTES = 5000;
export const MAX_GROUP_NAME = 100;

export const HOLD_STATUSES = ['active', 'confirmed', 'released', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

export const ENDED_REASONS = [
  'released',
  'expired',
  'challenge_lapsed',
  'outbooked',
  'group_confirmed',
  'lead_closed',
] as const;
export type EndedReason = (typeof ENDED_REASONS)[number];

/** A space, and the time for which a hold asks for it: set-up and clearing as they were at its placing. */
export interface Claim {
  readonly spaceId: SpaceId;
  readonly from: Date;
  readonly to: Date;
}

/** The time of a hold: from one instant to another, or whole days in its zone. */
export interface Period {
  readonly timeZone: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly startDay: string | null;
  readonly endDay: string | null;
}

interface HoldFields {
  title: string;
  leadId: LeadId | null;
  guests: number | null;
  notes: string | null;
  /** Alternatives of one booking share a name: when one is confirmed, the others end. */
  group: string | null;
  spaceIds: SpaceId[];
}

export type HoldDetails = Omit<HoldFields, 'spaceIds'>;

export interface Placing extends HoldDetails {
  readonly spaceIds: SpaceId[];
  readonly period: Period;
  readonly claims: readonly Claim[];
  readonly position: number;
  readonly expiresAt: Date;
  readonly calendarEventId: CalendarEventId;
}

/** A place in the queue for one or more spaces and one period. */
export class Hold implements HoldFields, Period {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: HoldId;
  /** Those with a smaller position are ahead. Each is given once. */
  position!: number;
  title!: string;
  leadId!: LeadId | null;
  guests!: number | null;
  notes!: string | null;
  group!: string | null;
  spaceIds!: SpaceId[];
  startsAt!: Date;
  endsAt!: Date;
  timeZone!: string;
  startDay!: string | null;
  endDay!: string | null;
  status!: HoldStatus;
  endedReason!: EndedReason | null;
  expiresAt!: Date;
  /** While it challenges all ahead: by when they are to answer. */
  challengeDeadline!: Date | null;
  /** Its challenge made it first: by when it is to be confirmed. */
  confirmBy!: Date | null;
  /** It became first while challenged: the earliest time at which it may have to answer. */
  answerFloor!: Date | null;
  /** By when it is to be confirmed or released; follows from the challenges and the two times above. */
  answerBy!: Date | null;
  /** The deadline that `hold.expiring` was told for. */
  remindedFor!: Date | null;
  /** When something is to be done about it: the reminder, or its end. Null once it has ended. */
  nextAt!: Date | null;
  readonly calendarEventId!: CalendarEventId;
  placedAt!: Date;
  endedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;
  /** Empty once it has ended. */
  claims!: readonly Claim[];

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static place({ workspaceId, mode }: WorkspaceRef, placing: Placing, now: Date): Hold {
    const { period, ...fields } = placing;
    return new Hold({
      workspaceId,
      mode,
      id: newId('hold'),
      ...fields,
      ...period,
      status: 'active',
      endedReason: null,
      challengeDeadline: null,
      confirmBy: null,
      answerFloor: null,
      answerBy: null,
      remindedFor: null,
      nextAt: null,
      placedAt: now,
      endedAt: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
  }

  get isLive(): boolean {
    return this.status === 'active';
  }

  /** When it ends by itself. */
  get dueAt(): Date {
    return this.answerBy && this.answerBy < this.expiresAt ? this.answerBy : this.expiresAt;
  }

  /** @throws ValidationFailed for one that has ended, or is past due */
  requireLive(now: Date): void {
    if (this.isLive && this.dueAt > now) return;
    const status = this.isLive ? 'past its deadline' : this.status;
    throw new ValidationFailed({
      field: 'status',
      message: `the hold is ${status}; what has ended stays so: place a new hold`,
    });
  }

  /** Another place in the queue: behind all who wait for the new spaces and time. */
  move(to: Pick<Placing, 'spaceIds' | 'period' | 'claims' | 'position'>, now: Date): void {
    this.narrow(to);
    this.position = to.position;
    this.placedAt = now;
    this.challengeDeadline = null;
    this.confirmBy = null;
    this.answerFloor = null;
  }

  /** A part of its spaces and time: the place in the queue stays. */
  narrow({ spaceIds, period, claims }: Pick<Placing, 'spaceIds' | 'period' | 'claims'>): void {
    Object.assign(this, period, { spaceIds, claims });
    if (this.expiresAt > this.startsAt) this.expiresAt = this.startsAt;
  }

  end(status: Exclude<HoldStatus, 'active'>, reason: EndedReason | null, at: Date): void {
    this.status = status;
    this.endedReason = reason;
    this.endedAt = at;
    this.claims = [];
    this.challengeDeadline = null;
    this.confirmBy = null;
    this.answerFloor = null;
    this.answerBy = null;
    this.nextAt = null;
  }

  /** Ends it because its time has come. */
  lapse(): void {
    const at = this.dueAt;
    const isAnswer = at < this.expiresAt;
    this.end('expired', isAnswer ? 'challenge_lapsed' : 'expired', at);
  }

  /** Sets `nextAt` by its deadlines. */
  schedule({ remindHours }: HoldPolicy): void {
    if (!this.isLive) return;
    const due = this.dueAt;
    const isTold = remindHours === 0 || this.remindedFor?.getTime() === due.getTime();
    this.nextAt = isTold ? due : new Date(due.getTime() - remindHours * HOUR_MS);
  }

  touch(now: Date): void {
    this.updatedAt = timeOfChange(this.updatedAt, now);
    this.revision++;
  }
}
