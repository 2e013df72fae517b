import {
  type DomainEvent,
  domainEvent,
  foldText,
  type Id,
  type Mode,
  newId,
  timeOfChange,
  ValidationFailed,
  type WorkspaceId,
  type WorkspaceRef,
} from 'gala';

export type LoyaltyAccountId = Id<'loy'>;

export const POINTS_PER_BOOKING = 100;
export const POINTS_PER_GUEST = 10;
/** No more are granted; what is earned comes on top. */
export const MOST_POINTS = 1_000_000;
export const YEARS_UNTIL_EXPIRY = 2;

/** What a booking with so many guests earns. */
export const pointsFor = (guests: number) => POINTS_PER_BOOKING + guests * POINTS_PER_GUEST;

/** An account as the API returns it and as events carry it. */
export interface LoyaltyAccountView {
  id: LoyaltyAccountId;
  email: string;
  points: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The points of one client, who is known by an e-mail address. */
export class LoyaltyAccount {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: LoyaltyAccountId;
  /** As `foldText` has it. */
  readonly email!: string;
  points!: number;
  readonly createdAt!: Date;
  updatedAt!: Date;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open({ workspaceId, mode }: WorkspaceRef, email: string, now: Date): LoyaltyAccount {
    const fields = { workspaceId, mode, id: newId('loy'), email: foldText(email), points: 0 };
    return new LoyaltyAccount({ ...fields, createdAt: now, updatedAt: now });
  }

  /** For a booking with so many guests. */
  earn(guests: number, now: Date): DomainEvent[] {
    return this.change('loyalty_account.points_earned', pointsFor(guests), now);
  }

  grant(points: number, now: Date): DomainEvent[] {
    if (this.points + points > MOST_POINTS) {
      throw new ValidationFailed({
        field: 'points',
        message: `${this.email} can have at most ${MOST_POINTS} of them`,
      });
    }
    return this.change('loyalty_account.points_earned', points, now);
  }

  redeem(points: number, now: Date): DomainEvent[] {
    if (points > this.points) {
      throw new ValidationFailed({
        field: 'points',
        message: `must be at most ${this.points}: there are no more`,
      });
    }
    return this.change('loyalty_account.points_redeemed', -points, now);
  }

  /** All of them, since nothing was earned or redeemed for so long. */
  expire(now: Date): DomainEvent[] {
    return this.change('loyalty_account.points_expired', -this.points, now);
  }

  view(): LoyaltyAccountView {
    const { id, email, points, createdAt, updatedAt } = this;
    return { id, email, points, createdAt, updatedAt };
  }

  private change(type: string, points: number, now: Date): DomainEvent[] {
    const previous = { points: this.points, updatedAt: this.updatedAt };
    this.points += points;
    this.updatedAt = timeOfChange(this.updatedAt, now);
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    return [domainEvent({ type, workspace, timestamp: this.updatedAt, data: this.view(), previous })];
  }
}
