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

/** Failed is what was answered with 400 or more, or not at all. The last two are classes of statuses. */
export const OUTCOMES = ['succeeded', 'failed', '4xx', '5xx'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Each given condition narrows the list further. */
export interface RequestFilter {
  readonly outcome?: Outcome;
  readonly requestId?: string;
  readonly method?: Method;
  /** The id of a key or an installed app, or a part of its name, ignoring case. */
  readonly caller?: string;
  /** What the path begins with. */
  readonly path?: string;
  /** From this instant until before the next, by when they were answered. */
  readonly from?: Date;
  readonly until?: Date;
}
