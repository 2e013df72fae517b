import type { DeliveryId, EventId } from '../../../kernel/ids';

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
  /** The latest last. */
  attempts: Attempt[];
}
