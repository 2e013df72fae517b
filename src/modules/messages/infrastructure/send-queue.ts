import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { fromUuid, type MessageId, toUuid, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import { DEPARTURE_TIMEOUT_MS, type OutgoingMessage, SEND_TIMEOUT_MS } from '../application/message-channel';
import type { TemplateUse } from '../domain/message';

/** How long a claim lasts: longer than the departure of a message may take. */
const CLAIM_LEASE_MS = 1.5 * DEPARTURE_TIMEOUT_MS;
/** Longer than any attempt: a message without an outcome by then never gets one. */
const SENDING_LEASE_MS = 2 * SEND_TIMEOUT_MS;

interface Row {
  workspace_id: string;
  mode: Mode;
  id: string;
  phone: string | null;
  channel_user_id: string | null;
  text: string | null;
  template: TemplateUse | null;
  attempts: number;
  created_at: Date;
  is_opted_out: boolean;
}

/** The lease has ended, and another instance may have claimed the message. */
export class ClaimLost extends Error {}

/** A message that this instance holds the lease of. */
export interface Claim {
  readonly id: MessageId;
  readonly ref: WorkspaceRef;
  readonly message: OutgoingMessage;
  readonly token: string;
  readonly attempts: number;
  readonly createdAt: Date;
  /** The recipient has opted out since the message was accepted. */
  readonly isOptedOut: boolean;
}

export interface ClaimLimits {
  readonly capacity: number;
  readonly perWorkspace: number;
  /** How many messages of each workspace are in progress. */
  readonly taken: ReadonlyMap<WorkspaceId, number>;
}

/** The SQL of the queue of messages. A lease is a `claim` token, and a `next_attempt_at` in the future. */
@Injectable()
export class SendQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims due messages, of each workspace as many as it has places left. It reads no more than those, so that a claim
   * costs the same however many messages are queued.
   */
  async claim({ capacity, perWorkspace, taken }: ClaimLimits): Promise<Claim[]> {
    const now = this.clock.now();
    const token = randomUUID();
    const rows = await this.database.query<Row>({
      text: `
        WITH RECURSIVE waiting AS (
          (SELECT workspace_id FROM messages WHERE ${HAS_TURN} ORDER BY workspace_id LIMIT 1)
          UNION ALL
          SELECT (
            SELECT workspace_id FROM messages WHERE ${HAS_TURN} AND workspace_id > waiting.workspace_id
            ORDER BY workspace_id LIMIT 1
          ) FROM waiting WHERE workspace_id IS NOT NULL
        ), due AS MATERIALIZED (
          SELECT m.*, row_number() OVER (PARTITION BY m.workspace_id ORDER BY m.next_attempt_at) AS place
          FROM waiting LEFT JOIN unnest($6::uuid[], $7::int[]) AS taken (workspace_id, places) USING (workspace_id)
          CROSS JOIN LATERAL (
            SELECT workspace_id, mode, id, next_attempt_at FROM messages
            WHERE ${HAS_TURN} AND workspace_id = waiting.workspace_id AND next_attempt_at <= $1
            ORDER BY next_attempt_at LIMIT greatest(0, $5::int - coalesce(taken.places, 0))
            FOR NO KEY UPDATE SKIP LOCKED
          ) m
        ), fair AS (
          SELECT workspace_id, mode, id FROM due ORDER BY place, next_attempt_at LIMIT $2::int
        ), claimed AS (
          UPDATE messages m SET claim = $3, next_attempt_at = $4 FROM fair
          WHERE (m.workspace_id, m.mode, m.id) = (fair.workspace_id, fair.mode, fair.id)
          RETURNING m.*
        )
        SELECT c.workspace_id, c.mode, c.id, c.phone, c.channel_user_id, c.text, c.template, c.attempts, c.created_at,
               ${IS_OPTED_OUT} AS is_opted_out
        FROM claimed c`,
      values: [
        now,
        capacity,
        token,
        new Date(now.getTime() + CLAIM_LEASE_MS),
        perWorkspace,
        [...taken.keys()].map(toUuid),
        [...taken.values()],
      ],
    });
    return rows.map((row) => toClaim(row, token));
  }

  /**
   * Records that the message is about to leave. Until then a crash costs nothing; from then on, nobody can tell after a crash
   * whether the message was sent.
   *
   * @throws ClaimLost when the message must not leave
   */
  async markSending({ ref, id, token }: Claim): Promise<void> {
    const now = this.clock.now();
    const marked = await this.database.query({
      text: `UPDATE messages SET sending_at = $5
             WHERE ${KEY} AND claim = $4 AND status = 'queued' AND sending_at IS NULL AND next_attempt_at > $5
             RETURNING 1`,
      values: [...keyOf(ref, id), token, now],
    });
    if (marked.length === 0) throw new ClaimLost();
  }

  /** For a message that certainly was not sent, to be tried again. */
  async postpone({ ref, id, token }: Claim, attempts: number, until: Date): Promise<void> {
    await this.database.query({
      text: `UPDATE messages SET sending_at = NULL, claim = NULL, attempts = $5, next_attempt_at = $6
             WHERE ${KEY} AND claim = $4 AND status = 'queued'`,
      values: [...keyOf(ref, id), token, attempts, until],
    });
  }

  /** Messages that were about to leave longer ago than any attempt takes, and have no outcome. */
  async abandoned(): Promise<{ ref: WorkspaceRef; id: MessageId }[]> {
    const rows = await this.database.query<Pick<Row, 'workspace_id' | 'mode' | 'id'>>({
      text: `SELECT workspace_id, mode, id FROM messages WHERE status = 'queued' AND sending_at < $1 LIMIT 100`,
      values: [new Date(this.clock.now().getTime() - SENDING_LEASE_MS)],
    });
    return rows.map((row) => ({ ref: refOf(row), id: fromUuid('msg', row.id) }));
  }
}

/** Of each conversation one message at a time has its turn, by a trigger: only then it has a `next_attempt_at`. */
const HAS_TURN = `status = 'queued' AND next_attempt_at IS NOT NULL AND sending_at IS NULL`;
/** By the recipient's number or user id, or by any user id of the lead. */
const IS_OPTED_OUT = `(
  EXISTS (
    SELECT FROM message_opt_outs o WHERE (o.workspace_id, o.mode, o.phone) = (c.workspace_id, c.mode, c.phone)
  ) OR EXISTS (
    SELECT FROM message_users u
    WHERE (u.workspace_id, u.mode, u.user_id) = (c.workspace_id, c.mode, c.channel_user_id)
      AND u.opted_out_at IS NOT NULL
  ) OR EXISTS (
    SELECT FROM message_users u
    WHERE (u.workspace_id, u.mode, u.lead_id) = (c.workspace_id, c.mode, c.lead_id)
      AND u.opted_out_at IS NOT NULL
  ))`;
const KEY = 'workspace_id = $1 AND mode = $2 AND id = $3';

function keyOf({ workspaceId, mode }: WorkspaceRef, id: MessageId): unknown[] {
  return [toUuid(workspaceId), mode, toUuid(id)];
}

function refOf(row: Pick<Row, 'workspace_id' | 'mode'>): WorkspaceRef {
  return { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode };
}

function toClaim(row: Row, token: string): Claim {
  const id = fromUuid('msg', row.id);
  return {
    id,
    ref: refOf(row),
    message: {
      id,
      phone: row.phone,
      channelUserId: row.channel_user_id,
      text: row.text,
      template: row.template,
    },
    token,
    attempts: row.attempts,
    createdAt: row.created_at,
    isOptedOut: row.is_opted_out,
  };
}
