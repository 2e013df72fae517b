import { AsyncLocalStorage } from 'node:async_hooks';
import type { Cause } from './cause';

/** What the running code takes part in, without being passed it. */
export interface Ambient {
  /** Of a request that may change something, set once its caller is known. Undefined when nobody acts. */
  cause?: Cause;
  /** The open transaction of a unit of work. */
  readonly transaction?: object;
}

/** One storage for all of it: each further one slows every promise of the process. */
export const ambient = new AsyncLocalStorage<Ambient>();
