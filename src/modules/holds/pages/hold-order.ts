import type { HoldView } from '../domain/hold-view';

type Live = Pick<HoldView, 'id' | 'ahead'>;

/**
 * Live holds, one queue after another: those that compete, directly or through others, stand together, and each stands
 * behind all that are ahead of it. Otherwise the given order stays.
 */
export function inQueues<Hold extends Live>(holds: readonly Hold[]): Hold[] {
  const inTurn = behindTheirRivals(holds);
  const queues = inTurn.reduce<Hold[][]>((known, hold) => {
    const joined = known.filter((queue) => queue.some((other) => isAhead(other, hold)));
    return [...known.filter((queue) => !joined.includes(queue)), [...joined.flat(), hold]];
  }, []);
  const queueOf = (hold: Hold) => queues.find((queue) => queue.includes(hold))!;
  return [...new Set(inTurn.flatMap((hold) => inTurn.filter((other) => queueOf(hold).includes(other))))];
}

function behindTheirRivals<Hold extends Live>(holds: readonly Hold[]): Hold[] {
  const waiting = [...holds];
  const inTurn: Hold[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((hold) => !waiting.some((other) => isAhead(other, hold)));
    inTurn.push(...waiting.splice(next, 1));
  }
  return inTurn;
}

function isAhead({ id }: Live, { ahead }: Live): boolean {
  return ahead!.includes(id);
}
