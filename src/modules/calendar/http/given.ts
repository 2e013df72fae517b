import type { SpaceId } from '../../../kernel/ids';
import type { SpaceInput } from '../application/linked-records';

/** Null on creation means that the field is absent. */
export function withoutNulls<Fields>(body: object): Fields {
  const given = Object.entries<unknown>(body as Record<string, unknown>).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(given) as Fields;
}

/** Reads `spaceId` or `spaceIds`, of which one is given, as a list. Null is an empty list. */
export function spaceInput({
  spaceId,
  spaceIds,
}: {
  spaceId?: SpaceId | null;
  spaceIds?: SpaceId[] | null;
}): SpaceInput | undefined {
  if (spaceIds !== undefined) return { field: 'spaceIds', ids: spaceIds ?? [] };
  if (spaceId !== undefined) return { field: 'spaceId', ids: spaceId === null ? [] : [spaceId] };
  return undefined;
}
