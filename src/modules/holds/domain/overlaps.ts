import type { SpaceId } from '../../../kernel/ids';
import type { Hold } from './hold';

/** For each hold, the others that ask for one of its spaces at the same time. */
export type Overlaps = ReadonlyMap<Hold, Set<Hold>>;

interface ClaimOf {
  readonly hold: Hold;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the claims of each space in the order of their begin, beside those that haven't ended by then. The work grows with
 * the claims and the overlaps, not with the pairs of holds.
 */
export function overlapsOf(holds: Iterable<Hold>): Overlaps {
  const overlaps = new Map<Hold, Set<Hold>>();
  const bySpace = new Map<SpaceId, ClaimOf[]>();
  for (const hold of holds) {
    overlaps.set(hold, new Set());
    for (const { spaceId, from, to } of hold.claims) {
      const claim = { hold, from: from.getTime(), to: to.getTime() };
      const claims = bySpace.get(spaceId);
      if (claims) claims.push(claim);
      else bySpace.set(spaceId, [claim]);
    }
  }
  for (const claims of bySpace.values()) {
    let open: ClaimOf[] = [];
    for (const claim of claims.sort((one, other) => one.from - other.from)) {
      open = open.filter(({ to }) => to > claim.from);
      for (const other of open) {
        if (other.hold === claim.hold) continue;
        overlaps.get(claim.hold)!.add(other.hold);
        overlaps.get(other.hold)!.add(claim.hold);
      }
      open.push(claim);
    }
  }
  return overlaps;
}
