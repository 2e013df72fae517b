import type { SpaceId } from '../../../kernel/ids';
import type { SpaceInput } from '../application/linked-records';

/** Null on creation is the same as leaving the field out. */
export function withoutNulls<Fields>(body: object): Fields {
  const given = Object.entries<unknown>(body as Record<string, unknown>).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(given) as Fields;
}

/** The two ways to name spaces, of which one is used, as one; null or an empty list is none. */
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
