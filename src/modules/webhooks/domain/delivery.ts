import type { DeliveryId, EventId } from '../../../kernel/ids';

/** A delivery can be retried any number of times on request, and each attempt holds up to 4 KiB of its response. */
export const MAX_ATTEMPTS_SHOWN = 50;

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

export interface Attempt {
  at: Date;
  /** In milliseconds. */
  duration: number;
  /** Null without a response. */
  responseStatus: number | null;
  /** The first 4 KiB. */
  responseBody: string | null;
  /** Why there was no response. */
  error: string | null;
}

/** The delivery of one event to one endpoint. */
export interface DeliveryView {
  id: DeliveryId;
  eventId: EventId;
  eventType: string;
  status: DeliveryStatus;
  createdAt: Date;
  /** Null once it has succeeded or failed for good. */
  nextAttemptAt: Date | null;
  /** The latest 50, oldest first. */
  attempts: Attempt[];
}
