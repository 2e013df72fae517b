import type { WorkspaceRef } from '../../../kernel/principal';
import type { Brand } from '../domain/brand';

export abstract class BrandRepository {
  abstract find(ref: WorkspaceRef): Promise<Brand>;
  /** The same, locked until the unit of work ends. */
  abstract lock(ref: WorkspaceRef): Promise<Brand>;
  abstract save(ref: WorkspaceRef, brand: Brand): Promise<void>;
}
