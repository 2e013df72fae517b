import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { FileUses } from '../../files';
import { type Brand, imagesOf } from '../domain/brand';
import type { BrandAction } from './brand-actions';
import { BrandRepository } from './brand-repository';

/** How a workspace appears to its clients, in each mode. */
@Injectable()
export class Brands {
  constructor(
    private readonly brands: BrandRepository,
    private readonly files: FileUses,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  of(ref: WorkspaceRef): Promise<Brand> {
    return this.brands.find(ref);
  }

  /** The same, which can't change until the unit of work ends: what it refers to can't be deleted either. */
  hold(ref: WorkspaceRef): Promise<Brand> {
    return this.brands.hold(ref);
  }

  /** @throws ValidationFailed for an image that there isn't, or when the brand isn't what was seen */
  change(ref: WorkspaceRef, actor: Actor, brand: Brand, seen: Precondition): Promise<void> {
    return this.unitOfWork.run(async () => {
      const before = await this.brands.lock(ref);
      seen.check(before);
      const fields = Object.keys(brand) as (keyof Brand)[];
      const changed = fields.filter((field) => brand[field] !== before[field]);
      if (changed.length === 0) return;
      await this.brands.save(ref, brand);
      const user = { kind: 'brand', id: ref.workspaceId } as const;
      await this.files.replace(ref, user, imagesOf(brand), { isPublic: true });
      const { workspaceId, mode } = ref;
      await this.auditLog.append({
        ...{ workspaceId, mode, actor },
        action: 'brand.updated' satisfies BrandAction,
        target: { id: null, name: mode === 'live' ? 'live data' : 'test data' },
        details: { fields: changed },
      });
    });
  }
}
