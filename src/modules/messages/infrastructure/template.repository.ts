import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { TemplateRepository } from '../application/connection';
import type { Template } from '../domain/template';

@Injectable()
export class PostgresTemplateRepository extends TemplateRepository {
  constructor(private readonly database: Database) {
    super();
  }

  list(ref: WorkspaceRef): Promise<Template[]> {
    return this.database.sql<Template>(
      `SELECT name, language, status, body, header_variables AS "headerVariables",
         body_variables AS "bodyVariables", obstacle
       FROM message_templates WHERE ${IN_WORKSPACE} ORDER BY name, language`,
      workspaceKey(ref),
    );
  }

  async replace(ref: WorkspaceRef, templates: readonly Template[]): Promise<void> {
    const key = workspaceKey(ref);
    await this.database.sql(`DELETE FROM message_templates WHERE ${IN_WORKSPACE}`, key);
    for (const { name, language, status, body, headerVariables, bodyVariables, obstacle } of templates) {
      await this.database.sql(
        `INSERT INTO message_templates (workspace_id, mode, name, language, status, body, header_variables,
           body_variables, obstacle)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        [...key, name, language, status, body, headerVariables, bodyVariables, obstacle],
      );
    }
  }
}
