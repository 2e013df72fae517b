import { ambient } from './ambient';
import type { Cause } from './cause';

const SYSTEM: Cause = { type: 'system', id: null };

/** The cause of the events that the running code appends. */
export function currentCause(): Cause {
  return ambient.getStore()?.cause ?? SYSTEM;
}

/** Runs work whose events have that cause. */
export function causedBy<Result>(cause: Cause, work: () => Result): Result {
  return ambient.run({ ...ambient.getStore(), cause }, work);
}

/** Handles a request whose cause is named later, by `nameCause`. */
export function causedByCaller(handle: () => void): void {
  ambient.run({}, handle);
}

/** Names the cause of the running request. Requests that change nothing have none, which costs nothing. */
export function nameCause({ type, id }: Cause): void {
  const store = ambient.getStore();
  if (store) store.cause = { type, id };
}
