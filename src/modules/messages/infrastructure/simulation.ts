import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid, type MessageId, toUuid } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { BackgroundJobs } from '../../../platform/jobs/background-jobs';
import { WorkLoop } from '../../../platform/jobs/work-loop';
import { describeError } from '../../../platform/logging/describe-error';
import { Logger } from '../../../platform/logging/logger';
import { Database } from '../../../platform/persistence/database';
import { ChangeMessage } from '../application/change-message';
import { ReceiveMessage } from '../application/receive-message';
import { outcomeOf, SLOW_MS, SLOW_PHONES } from '../domain/magic-numbers';
import { type Progress, PROGRESS } from '../domain/message';

interface Row {
  workspace_id: string;
  id: string;
  phone: string | null;
  channel_user_id: string | null;
  text: string | null;
  status: Progress;
}

/**
 * Simulates the callbacks of a channel: reports on messages, and replies. The next step of each message follows from its row,
 * so that a restart loses nothing.
 */
@Injectable()
export class Simulation implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly messages: ChangeMessage,
    private readonly receiveMessage: ReceiveMessage,
    private readonly jobs: BackgroundJobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'simulated messages could not be read');
    this.jobs.register(new WorkLoop(() => this.advanceAll(), failed));
  }

  private async advanceAll(): Promise<number> {
    const rows = await this.database.query<Row>({
      text: `SELECT workspace_id, id, phone, channel_user_id, text, status
             FROM messages
             WHERE mode = 'test' AND channel = 'simulator' AND status IN ('sent', 'delivered')
               AND next_attempt_at IS NOT NULL
               AND (phone IS NULL OR phone <> ALL ($1) OR coalesce(delivered_at, sent_at) <= $2)
             ORDER BY created_at, id LIMIT 200`,
      values: [SLOW_PHONES, new Date(this.clock.now().getTime() - SLOW_MS)],
    });
    let done = 0;
    for (const row of rows) {
      try {
        await this.step(row);
        done++;
      } catch (error) {
        this.logger.warn(
          { message: row.id, ...describeError(error) },
          'a simulated message could not be advanced',
        );
      }
    }
    return done;
  }

  private async step({
    workspace_id,
    id: uuid,
    phone,
    channel_user_id: userId,
    text,
    status,
  }: Row): Promise<void> {
    const ref: WorkspaceRef = { workspaceId: fromUuid('ws', workspace_id), mode: 'test' };
    const id = fromUuid('msg', uuid);
    const { until = 'delivered', replies } = outcomeOf(phone);
    if (status !== until) {
      const progress = PROGRESS[PROGRESS.indexOf(status) + 1] as Progress;
      const report = { kind: 'reached', progress, at: this.clock.now() } as const;
      await this.messages.report(ref, { providerId: `sim.${id}`, contact: null }, report);
      return;
    }
    if (replies) {
      await this.receiveMessage.execute(ref, {
        providerId: `sim.reply.${id}`,
        sender: { phone, userId, name: null },
        type: 'text',
        text: text ?? 'Thank you!',
        media: null,
        sentAt: this.clock.now(),
      });
    }
    await this.finish(ref, id);
  }

  /** Ends the simulation of a message. */
  private async finish({ workspaceId, mode }: WorkspaceRef, id: MessageId): Promise<void> {
    await this.database.query({
      text: `UPDATE messages SET next_attempt_at = NULL WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: [toUuid(workspaceId), mode, toUuid(id)],
    });
  }
}
