import type { WorkspaceRef } from '../../../kernel/principal';
import type { CustomFields } from '../domain/custom-fields';

/**
 * A port: the custom fields by which leads are checked and shown. For imports and exports too, whose columns are
 * `custom.<key>` of `active`.
 */
export abstract class CustomFieldReader {
  /**
   * As of half a second ago: leads ask for them each time, and most workspaces have none. A change of the fields answers when
   * no instance goes by the former ones. Don't call it within `UnitOfWork.snapshot`, whose data may be older.
   */
  abstract find(ref: WorkspaceRef): Promise<CustomFields>;
  /** The same for a workspace that is known to have fields. */
  abstract findExisting(ref: WorkspaceRef): Promise<CustomFields>;
}
