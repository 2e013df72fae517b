import { Injectable } from '@nestjs/common';
import { toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import {
  DEFAULT_SETTINGS,
  type MessageSettings,
  MessageSettingsRepository,
} from '../application/message-settings';

@Injectable()
export class SqlMessageSettings extends MessageSettingsRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async get({ workspaceId, mode }: WorkspaceRef): Promise<MessageSettings> {
    const [row] = await this.database.query<MessageSettings>({
      text: `SELECT languages, creates_leads AS "createsLeads" FROM message_settings
             WHERE workspace_id = $1 AND mode = $2`,
      values: [toUuid(workspaceId), mode],
    });
    return row ?? DEFAULT_SETTINGS;
  }

  async save(
    { workspaceId, mode }: WorkspaceRef,
    { languages, createsLeads }: MessageSettings,
  ): Promise<void> {
    await this.database.query({
      text: `INSERT INTO message_settings (workspace_id, mode, languages, creates_leads) VALUES ($1, $2, $3, $4)
             ON CONFLICT (workspace_id, mode) DO UPDATE
             SET languages = excluded.languages, creates_leads = excluded.creates_leads`,
      values: [toUuid(workspaceId), mode, languages, createsLeads],
    });
  }
}
