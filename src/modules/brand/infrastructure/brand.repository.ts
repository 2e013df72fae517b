import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { BrandRepository } from '../application/brand-repository';
import { type Brand, NO_BRAND } from '../domain/brand';

@Injectable()
export class PostgresBrandRepository extends BrandRepository {
  constructor(private readonly database: Database) {
    super();
  }

  find(ref: WorkspaceRef): Promise<Brand> {
    return this.read(ref);
  }

  hold(ref: WorkspaceRef): Promise<Brand> {
    return this.read(ref, 'FOR SHARE');
  }

  async lock(ref: WorkspaceRef): Promise<Brand> {
    // The update of nothing locks the row, also while it is new.
    const [row] = await this.database.sql<{ content: Partial<Brand> }>(
      `INSERT INTO brands (workspace_id, mode, content) VALUES ($1, $2, '{}')
       ON CONFLICT (workspace_id, mode) DO UPDATE SET mode = excluded.mode RETURNING content`,
      workspaceKey(ref),
    );
    return { ...NO_BRAND, ...row!.content };
  }

  async save(ref: WorkspaceRef, brand: Brand): Promise<void> {
    await this.database.sql(`UPDATE brands SET content = $3 WHERE ${IN_WORKSPACE}`, [
      ...workspaceKey(ref),
      JSON.stringify(brand),
    ]);
  }

  private async read(ref: WorkspaceRef, lock = ''): Promise<Brand> {
    const [row] = await this.database.sql<{ content: Partial<Brand> }>(
      `SELECT content FROM brands WHERE ${IN_WORKSPACE} ${lock}`,
      workspaceKey(ref),
    );
    return { ...NO_BRAND, ...row?.content };
  }
}
