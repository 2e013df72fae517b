import type { DeliveryId, EventId } from '../../../kernel/ids';

/** A delivery is retried as often as somebody asks for it, and each attempt keeps up to 4 KiB of its answer. */
export const MAX_ATTEMPTS_SHOWN = 50;

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

export interface Attempt {
  at: Date;
  /** In milliseconds. */
  duration: number;
  /** Null when no answer came. */
  responseStatus: number | null;
  /** As much of it as was read. */
  responseBody: string | null;
  /** What went wrong, when it wasn't the answer. */
  error: string | null;
}

/** One event on its way to one endpoint. */
export interface DeliveryView {
  id: DeliveryId;
  eventId: EventId;
  eventType: string;
  status: DeliveryStatus;
  createdAt: Date;
  /** Null once it has succeeded or was given up. */
  nextAttemptAt: Date | null;
  /** The latest 50, in the order of time. */
  attempts: Attempt[];
}
