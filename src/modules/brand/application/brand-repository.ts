import type { WorkspaceRef } from '../../../kernel/principal';
import type { Brand } from '../domain/brand';

export abstract class BrandRepository {
  abstract find(ref: WorkspaceRef): Promise<Brand>;
  /** The same, which can't change until the unit of work ends. Others can hold it at the same time. */
  abstract hold(ref: WorkspaceRef): Promise<Brand>;
  /** The same, locked until the unit of work ends. */
  abstract lock(ref: WorkspaceRef): Promise<Brand>;
  abstract save(ref: WorkspaceRef, brand: Brand): Promise<void>;
}
