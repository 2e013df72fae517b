import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { ShortLivedCache } from '../../../kernel/short-lived-cache';
import { CustomFieldReader } from '../application/custom-field-reader';
import { LeadFieldRepository } from '../application/lead-field-repository';
import { CustomFields } from '../domain/custom-fields';
import { OwnSettings } from './own-settings';

@Injectable()
export class CachedCustomFieldReader extends CustomFieldReader {
  private readonly cache = new ShortLivedCache<CustomFields>();

  constructor(
    private readonly settings: OwnSettings,
    private readonly fields: LeadFieldRepository,
  ) {
    super();
  }

  async find(ref: WorkspaceRef): Promise<CustomFields> {
    const { hasFields } = await this.settings.find(ref);
    return hasFields ? this.findExisting(ref) : CustomFields.NONE;
  }

  findExisting(ref: WorkspaceRef): Promise<CustomFields> {
    return this.cache.read(`${ref.workspaceId} ${ref.mode}`, async () => {
      const all = await this.fields.findAll(ref);
      const active = all.filter(({ archivedAt }) => !archivedAt);
      return active.length > 0 ? new CustomFields(active.map((field) => field.view())) : CustomFields.NONE;
    });
  }
}
