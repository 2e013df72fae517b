import { Injectable } from '@nestjs/common';
import { toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { TemplateRepository } from '../application/connection';
import type { Template } from '../domain/template';

@Injectable()
export class SqlTemplateRepository extends TemplateRepository {
  constructor(private readonly database: Database) {
    super();
  }

  list({ workspaceId, mode }: WorkspaceRef): Promise<Template[]> {
    return this.database.query<Template>({
      text: `SELECT name, language, status, body, header_variables AS "headerVariables",
               body_variables AS "bodyVariables", obstacle
             FROM message_templates WHERE workspace_id = $1 AND mode = $2 ORDER BY name, language`,
      values: [toUuid(workspaceId), mode],
    });
  }

  async replace({ workspaceId, mode }: WorkspaceRef, templates: readonly Template[]): Promise<void> {
    const key = [toUuid(workspaceId), mode];
    await this.database.query({
      text: 'DELETE FROM message_templates WHERE workspace_id = $1 AND mode = $2',
      values: key,
    });
    for (const { name, language, status, body, headerVariables, bodyVariables, obstacle } of templates) {
      await this.database.query({
        text: `INSERT INTO message_templates (workspace_id, mode, name, language, status, body, header_variables,
                 body_variables, obstacle)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        values: [...key, name, language, status, body, headerVariables, bodyVariables, obstacle],
      });
    }
  }
}
