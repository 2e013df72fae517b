import { isDeepStrictEqual } from 'node:util';
import { ValidationFailed } from '../../../kernel/errors';
import { type FileId, type LeadId, newId, type ProposalId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { newSecretToken } from '../../../kernel/secret-token';
import { timeOfChange } from '../../../kernel/time';
import type { TimelineActor } from '../../../kernel/timeline';
import { dayIn } from '../../../kernel/time-zone';
import { type Deposit, depositOf, termsOf } from './deposit';
import { type LineItem, price } from './line-item';
import { isCurrencyCode } from './money';
import {
  type Contact,
  NO_PRESENTATION,
  type PreparedFor,
  type Presentation,
  presentationOf,
  type Section,
  type SentBrand,
} from './presentation';
import {
  type Acceptance,
  NOTHING_HAPPENED,
  type PricingContext,
  type ProposalFields,
  type ProposalStatus,
} from './proposal-fields';

/** The pattern of a link's token: 256 bits in base64url. */
export const PUBLIC_TOKEN = /^[A-Za-z0-9_-]{43}$/;

export * from './proposal-fields';

/** An offer to a lead. Once sent, it is immutable: a new version is another proposal with the same number. */
export class Proposal implements Presentation {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: ProposalId;
  readonly leadId!: LeadId;
  readonly number!: number;
  readonly version!: number;
  readonly previousVersionId!: ProposalId | null;
  title!: string;
  status!: ProposalStatus;
  currency!: string;
  lineItems!: LineItem[];
  subtotal!: number;
  taxTotal!: number;
  total!: number;
  deposit!: Deposit | null;
  notes!: string | null;
  message!: string | null;
  sections!: Section[];
  coverImage!: FileId | null;
  terms!: string | null;
  contact!: Contact | null;
  validUntil!: string | null;
  /** Null until it is sent, and for what was sent before this was kept. */
  preparedFor!: PreparedFor | null;
  /** The same. */
  sentBrand!: SentBrand | null;
  /** Opens the client's page. Null until it is sent. */
  publicToken!: string | null;
  sentAt!: Date | null;
  /** Who sent it; null when that wasn't recorded. */
  sentBy!: TimelineActor | null;
  viewedAt!: Date | null;
  acceptedAt!: Date | null;
  declinedAt!: Date | null;
  expiredAt!: Date | null;
  withdrawnAt!: Date | null;
  acceptance!: Acceptance | null;
  declineReason!: string | null;
  archivedAt!: Date | null;
  readonly createdAt!: Date;
  updatedAt!: Date;
  revision!: number;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static draft(
    { workspaceId, mode }: WorkspaceRef,
    identity: Pick<Proposal, 'leadId' | 'number'> & Partial<Pick<Proposal, 'version' | 'previousVersionId'>>,
    fields: Partial<ProposalFields> & Pick<ProposalFields, 'title' | 'currency'>,
    context: PricingContext,
  ): Proposal {
    const { now } = context;
    const proposal = new Proposal({
      workspaceId,
      mode,
      id: newId('prop'),
      version: 1,
      previousVersionId: null,
      ...identity,
      ...NOTHING_HAPPENED,
      lineItems: [],
      deposit: null,
      notes: null,
      ...NO_PRESENTATION,
      validUntil: null,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    });
    proposal.write(fields, context);
    return proposal;
  }

  update(changes: Partial<ProposalFields>, context: PricingContext): void {
    this.refuseArchived();
    if (this.status !== 'draft') {
      throw refusal(
        `a proposal that is ${this.status} can’t be changed; make another version with POST …/revise`,
      );
    }
    if (this.write(changes, context)) this.touch(context.now);
  }

  /** Withdraws it, if it is open, because another version is sent. */
  giveWay(now: Date): void {
    if (this.status === 'accepted') throw refusal(AGREED);
    if (this.isOpen) this.withdraw(now);
  }

  /** What a client wrote of it. */
  get content(): ProposalFields {
    const { title, currency, deposit, notes, message, sections, coverImage, terms, contact, validUntil } =
      this;
    const lineItems = this.lineItems.map(({ amount: _amount, taxAmount: _tax, ...input }) => input);
    return {
      ...{ title, currency, lineItems, deposit: deposit && termsOf(deposit), notes },
      ...{ message, sections, coverImage, terms, contact, validUntil },
    };
  }

  /** Another version of the offer, to be changed: the same, but for fields that are given. */
  revise(context: PricingContext, fields: Partial<ProposalFields> = {}): Proposal {
    this.refuseArchived();
    if (this.status === 'draft') throw refusal('a draft has no need of another version: change it');
    if (this.status === 'accepted') throw refusal(AGREED);
    const { leadId, number, version, id, content } = this;
    return Proposal.draft(
      this,
      { leadId, number, version: version + 1, previousVersionId: id },
      { ...content, ...fields },
      context,
    );
  }

  send(
    { now, timeZone }: PricingContext,
    kept: Partial<Pick<Proposal, 'sentBy' | 'preparedFor' | 'sentBrand'>> = {},
  ): void {
    this.refuseArchived();
    if (this.status !== 'draft') throw refusal(`it is ${this.status} already`);
    if (this.lineItems.length === 0) {
      throw new ValidationFailed({
        field: 'lineItems',
        message: 'must hold at least one line before it is sent',
      });
    }
    if (this.isOverdue(timeZone, now)) {
      throw new ValidationFailed({ field: 'validUntil', message: 'must not be in the past when it is sent' });
    }
    this.publicToken = newSecretToken();
    this.become('sent', now);
    this.sentAt = this.updatedAt;
    Object.assign(this, kept);
  }

  /** A copy of a draft as its client would see it. It is never stored. */
  asSent(): Proposal {
    return new Proposal({ ...this, status: 'sent', publicToken: 'preview' });
  }

  /** Whether the client can still decide. */
  get isOpen(): boolean {
    return (this.status === 'sent' || this.status === 'viewed') && !this.archivedAt;
  }

  /** Whether `validUntil` has passed. */
  isOverdue(timeZone: string, now: Date): boolean {
    return this.validUntil !== null && dayIn(timeZone, now) > this.validUntil;
  }

  /** Records a view. */
  view(now: Date): void {
    if (this.status !== 'sent') return;
    this.become('viewed', now);
    this.viewedAt = this.updatedAt;
  }

  accept(acceptance: Acceptance, now: Date): void {
    this.refuseUnlessOpen();
    this.become('accepted', now);
    this.acceptedAt = this.updatedAt;
    this.acceptance = acceptance;
  }

  decline(reason: string | null, now: Date): void {
    this.refuseUnlessOpen();
    this.become('declined', now);
    this.declinedAt = this.updatedAt;
    this.declineReason = reason;
  }

  expire(now: Date): void {
    this.refuseUnlessOpen();
    this.become('expired', now);
    this.expiredAt = this.updatedAt;
  }

  /** Idempotent. */
  withdraw(now: Date): void {
    if (this.status === 'withdrawn') return;
    this.refuseUnlessOpen();
    this.become('withdrawn', now);
    this.withdrawnAt = this.updatedAt;
  }

  /** Replaces the client's link. The old link stops working. */
  rotateLink(now: Date): void {
    this.refuseArchived();
    if (!this.publicToken) throw refusal('a draft has no link yet: it gets one when it is sent');
    this.publicToken = newSecretToken();
    this.touch(now);
  }

  /** Also withdraws it if it is open. */
  archive(now: Date): void {
    if (this.archivedAt) return;
    const wasOpen = this.isOpen;
    this.touch(now);
    this.archivedAt = this.updatedAt;
    if (!wasOpen) return;
    this.status = 'withdrawn';
    this.withdrawnAt = this.updatedAt;
  }

  restore(now: Date): void {
    if (!this.archivedAt) return;
    this.touch(now);
    this.archivedAt = null;
  }

  /** Returns whether anything changed. */
  private write(fields: Partial<ProposalFields>, { guests }: PricingContext): boolean {
    const { lineItems = this.lineItems, deposit = this.deposit && termsOf(this.deposit), ...plain } = fields;
    const currency = plain.currency ?? this.currency;
    if (!isCurrencyCode(currency)) {
      throw new ValidationFailed({ field: 'currency', message: 'must be an ISO 4217 code such as EUR' });
    }
    const pricing = price(lineItems, currency, guests);
    const presented = presentationOf(plain);
    const priced = {
      ...plain,
      ...presented,
      ...pricing,
      deposit: deposit && depositOf(deposit, pricing.total, currency),
    };
    const given = Object.entries<unknown>(priced).filter(([, value]) => value !== undefined);
    const changed = given.filter(([name, value]) => !isDeepStrictEqual(this[name as keyof this], value));
    Object.assign(this, Object.fromEntries(changed));
    return changed.length > 0;
  }

  private become(status: ProposalStatus, now: Date): void {
    this.status = status;
    this.touch(now);
  }

  private touch(now: Date): void {
    this.updatedAt = timeOfChange(this.updatedAt, now);
    this.revision++;
  }

  private refuseArchived(): void {
    if (this.archivedAt) {
      throw new ValidationFailed({
        field: 'archivedAt',
        message: 'an archived proposal can’t be changed, sent or revised; restore it first',
      });
    }
  }

  private refuseUnlessOpen(): void {
    this.refuseArchived();
    if (!this.isOpen)
      throw refusal(`it is ${this.status}, and only what was sent and isn’t decided can be ended`);
  }
}

const AGREED = 'the client accepted it: offer what is new in a proposal of its own';

function refusal(message: string): ValidationFailed {
  return new ValidationFailed({ field: 'status', message });
}
