import { Injectable } from '@nestjs/common';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  DEFAULT_SETTINGS,
  type MessageSettings,
  MessageSettingsRepository,
} from '../application/message-settings';

@Injectable()
export class PostgresMessageSettingsRepository extends MessageSettingsRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async get(ref: WorkspaceRef): Promise<MessageSettings> {
    const [row] = await this.database.sql<MessageSettings>(
      `SELECT languages, creates_leads AS "createsLeads" FROM message_settings
       WHERE ${IN_WORKSPACE}`,
      workspaceKey(ref),
    );
    return row ?? DEFAULT_SETTINGS;
  }

  async save(ref: WorkspaceRef, { languages, createsLeads }: MessageSettings): Promise<void> {
    await this.database.sql(
      `INSERT INTO message_settings (workspace_id, mode, languages, creates_leads) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, mode) DO UPDATE
       SET languages = excluded.languages, creates_leads = excluded.creates_leads`,
      [...workspaceKey(ref), languages, createsLeads],
    );
  }
}
