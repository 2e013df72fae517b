import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../../kernel/domain-event';
import { fromUuid, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { withEvents } from '../../../platform/outbox/with-events';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import { PipelineRepository, type StageMove } from '../application/pipeline-repository';
import { type LeadsAtStages, Pipeline } from '../domain/pipeline';
import type { PipelineStage } from '../domain/pipeline-stage';
import type { StageKey } from '../domain/stage';
import { PipelineStageSchema } from './pipeline-stage.schema';

/** Fields that never change. */
const FIXED = ['workspace_id', 'mode', 'key'];

@Injectable()
export class PostgresPipelineRepository extends PipelineRepository {
  private readonly statements: EntityStatements<PipelineStage>;
  private readonly onConflict: string;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(PipelineStageSchema);
    const changing = Object.entries(PipelineStageSchema.options.columns)
      .map(([property, column]) => column.name ?? property)
      .filter((column) => !FIXED.includes(column));
    this.onConflict = `ON CONFLICT (${FIXED.join(', ')}) DO UPDATE SET ${changing.map((column) => `${column} = excluded.${column}`).join(', ')}`;
  }

  async find(ref: WorkspaceRef): Promise<Pipeline> {
    return new Pipeline(ref, await this.rows(ref));
  }

  async findWithLeads(ref: WorkspaceRef): Promise<Pipeline> {
    return new Pipeline(ref, await this.rows(ref), await this.leadsAt(ref));
  }

  async lock(ref: WorkspaceRef, closing?: string): Promise<Pipeline> {
    await this.database.sql('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [
      toUuid(ref.workspaceId),
    ]);
    if (closing !== undefined) {
      await this.database.sql(`SELECT FROM stages WHERE ${IN_WORKSPACE} AND key = $3 FOR UPDATE`, [
        ...workspaceKey(ref),
        closing,
      ]);
    }
    return this.findWithLeads(ref);
  }

  async save(pipeline: Pipeline, events: readonly DomainEvent[]): Promise<void> {
    for (const [index, stage] of pipeline.changed.entries()) {
      const { text, values } = this.statements.insert(stage);
      const upsert = { text: `${text} ${this.onConflict}`, values };
      await this.database.query(withEvents(upsert, index === 0 ? events : []));
    }
  }

  async lockForEntry(ref: WorkspaceRef, key: StageKey): Promise<PipelineStage | undefined> {
    const [row] = await this.database.sql<object>(`${this.statements.selectByKey} FOR KEY SHARE`, [
      ...workspaceKey(ref),
      key,
    ]);
    return row && this.statements.read(row);
  }

  async claimMove(after: WorkspaceId | undefined): Promise<StageMove | undefined> {
    const [row] = await this.database.sql<{
      workspace_id: string;
      mode: Mode;
      key: string;
      move_to: string;
    }>(
      `SELECT workspace_id, mode, key, move_to FROM stages WHERE move_to IS NOT NULL
       ORDER BY workspace_id > $1::uuid DESC, workspace_id, archived_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
      [after ? toUuid(after) : null],
    );
    if (!row) return undefined;
    const ref = { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode };
    return { ref, from: row.key, to: row.move_to };
  }

  async endMove({ ref, from }: StageMove, now: Date): Promise<boolean> {
    const [row] = await this.database.sql<object>(
      `${this.statements.selectByKey} AND NOT EXISTS (SELECT FROM leads WHERE ${IN_WORKSPACE} AND stage = $3)`,
      [...workspaceKey(ref), from],
    );
    if (!row) return false;
    const stage = this.statements.read(row);
    const events = stage.endMove(now);
    await this.database.query(withEvents(this.statements.update(stage), events));
    return true;
  }

  private async rows(ref: WorkspaceRef): Promise<PipelineStage[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE}`,
      workspaceKey(ref),
    );
    return rows.map(this.statements.read);
  }

  private async leadsAt(ref: WorkspaceRef): Promise<LeadsAtStages> {
    const rows = await this.database.sql<{ stage: string; leads: number }>(
      `SELECT stage, sum(leads)::int AS leads FROM lead_counts WHERE ${IN_WORKSPACE} GROUP BY stage`,
      workspaceKey(ref),
    );
    return new Map(rows.map(({ stage, leads }) => [stage, leads]));
  }
}
