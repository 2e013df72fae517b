import { setImmediate as others } from 'node:timers/promises';

const SLICE_MS = 10;

/** For long work to await between its steps: after each 10 ms, it lets other requests run. */
export function slices(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < SLICE_MS) return;
    await others();
    startedAt = performance.now();
  };
}
