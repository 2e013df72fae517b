import { setImmediate as others } from 'node:timers/promises';

const SLICE_MS = 10;

/** Cuts long work into slices: to await between its steps, so that others get their turn after each 10 ms of it. */
export function slices(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < SLICE_MS) return;
    await others();
    startedAt = performance.now();
  };
}
