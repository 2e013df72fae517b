import type { LoggedRequestId } from '../../../kernel/ids';
import type { Credential } from '../../../kernel/principal';

/** A line of the log. It holds no body, no value of a query, no address, and of a path only what `readablePath` leaves. */
export interface LoggedRequest {
  readonly id: LoggedRequestId;
  /** When it was answered. */
  readonly occurredAt: Date;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Null when the client went away before its answer was out. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** By the name that it had then. */
  readonly credential: Pick<Credential, 'type' | 'id' | 'name'>;
}

/** Failed is what was answered with 400 or more, or not at all. */
export type Outcome = 'succeeded' | 'failed';

export interface RequestFilter {
  readonly outcome?: Outcome;
  readonly requestId?: string;
}
