import type { DepositInput } from './deposit';
import type { LineItemInput } from './line-item';
import type { PresentationFields } from './presentation';

export const STATUSES = ['draft', 'sent', 'viewed', 'accepted', 'declined', 'expired', 'withdrawn'] as const;
export type ProposalStatus = (typeof STATUSES)[number];

/** Evidence of who accepted. */
export interface Acceptance {
  /** As typed. */
  name: string;
  /** The client's network address. */
  address: string;
  userAgent: string | null;
}

/** The fields that clients write. A change leaves absent fields as they are. */
export interface ProposalFields extends PresentationFields {
  title: string;
  currency: string;
  lineItems: LineItemInput[];
  deposit: DepositInput | null;
  notes: string | null;
  /** The last day on which it can be accepted, in the workspace's time zone: YYYY-MM-DD. */
  validUntil: string | null;
}

/** Data outside of a proposal that its amounts depend on. */
export interface PricingContext {
  /** The lead's. */
  readonly guests: number | null;
  /** The workspace's. */
  readonly timeZone: string;
  readonly now: Date;
}

/** The state of a new draft. */
export const NOTHING_HAPPENED = {
  status: 'draft',
  preparedFor: null,
  sentBrand: null,
  publicToken: null,
  sentAt: null,
  sentBy: null,
  viewedAt: null,
  acceptedAt: null,
  declinedAt: null,
  expiredAt: null,
  withdrawnAt: null,
  acceptance: null,
  declineReason: null,
  archivedAt: null,
};
