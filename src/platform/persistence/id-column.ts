import type { EntitySchemaColumnOptions } from 'typeorm';
import { fromUuid, type Id, toUuid } from '../../kernel/ids';

/** A column that holds an id as `uuid`, and null as null. */
export function idColumn(
  prefix: string,
  name: string,
  options: Partial<EntitySchemaColumnOptions> = {},
): EntitySchemaColumnOptions {
  return {
    name,
    type: 'uuid',
    transformer: {
      to: (id: Id<string> | null) => id && toUuid(id),
      from: (uuid: string | null) => uuid && fromUuid(prefix, uuid),
    },
    ...options,
  };
}

/** The two columns that say whose a row is, which lead every key of tenant data. */
export const workspaceColumns = {
  workspaceId: idColumn('ws', 'workspace_id', { primary: true }),
  mode: { type: 'text', primary: true } satisfies EntitySchemaColumnOptions,
} as const;
