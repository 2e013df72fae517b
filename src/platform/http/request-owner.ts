import type { Request } from 'express';
import { countedAs } from '../../kernel/principal';
import { addressBucket } from '../rate-limiting/rate-limits';
import type { TurnTaker } from './fair-turns';
import type { Route } from './route-table';

/** Whose request it is: of a workspace and one of its credentials, or else of an address. */
export function ownerOf({ principal, ip }: Request): { tenant: string; caller: string } {
  if (principal) return { tenant: principal.workspaceId, caller: countedAs(principal) };
  const address = addressBucket(ip ?? 'unknown');
  return { tenant: address, caller: address };
}

/**
 * Who takes a turn with it. Pages that are open to anyone cost what a workspace made of them, and can be asked for from many
 * addresses: all who ask for one of those take the turns of a single tenant, and share them by their address.
 */
export function turnTakerOf(request: Request, route: Route): TurnTaker {
  const owner = ownerOf(request);
  const isOpenPage = route.access.kind === 'page' && !route.countsItself;
  return isOpenPage ? { ...owner, tenant: route.paths[0]! } : owner;
}
