import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { ShortLivedCache } from '../../../kernel/short-lived-cache';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';

/** Whether a workspace has custom fields, archived ones included: an expression for statements with `workspaceKey`. */
export const HAS_FIELDS = `EXISTS (SELECT FROM lead_fields WHERE ${IN_WORKSPACE})`;

interface Own {
  /** Whether new leads are given to members. */
  readonly assigns: boolean;
  readonly hasFields: boolean;
}

/** Which settings for leads a workspace has, as of half a second ago. Most have none, and learn it from one statement. */
@Injectable()
export class OwnSettings {
  private readonly cache = new ShortLivedCache<Own>();

  constructor(private readonly database: Database) {}

  find(ref: WorkspaceRef): Promise<Own> {
    return this.cache.read(`${ref.workspaceId} ${ref.mode}`, async () => {
      const [own] = await this.database.sql<Own>(
        `SELECT EXISTS (SELECT FROM lead_assignments WHERE ${IN_WORKSPACE} AND policy <> 'none') AS assigns,
           ${HAS_FIELDS} AS "hasFields"`,
        workspaceKey(ref),
      );
      return own!;
    });
  }
}
