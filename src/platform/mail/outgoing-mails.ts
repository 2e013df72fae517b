import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { WorkspaceId } from '../../kernel/ids';
import type { Mail } from '../../kernel/mailer';
import { foldText } from '../../kernel/text';
import { SecretBox } from '../encryption/secret-box';
import type { Leased } from '../jobs/leased-queue';
import { Retention } from '../jobs/retention';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { Database } from '../persistence/database';
import { JobDatabase } from '../persistence/job-database';

/** How long an attempt to send a mail may take. */
export const ATTEMPT_MS = 45_000;
/** How long the transaction that stores a mail may take before its process leaves the first attempt to the loop. */
export const START_MS = 15_000;
/** Longer than the wait for an attempt, the attempt, and the record of its outcome. */
const LEASE_MS = START_MS + ATTEMPT_MS + 15_000;
/** A lane's mails that a process sends at the same time. */
export const PER_LANE = 5;
/** Due mails that a claim chooses from, so that its cost doesn't grow with the queue. */
const WINDOW = 500;
const MAX_WAITING_OF_WORKSPACE = 5000;
const MAX_WAITING_TO_RECIPIENT = 100;
const KEEP_FAILED_MS = 7 * 24 * 3600 * 1000;

const placeOf = (id: string) => `outgoing mail ${id}`;

/** A mail that this process holds the lease of. */
export interface Claim extends Leased {
  readonly token: string;
  readonly lane: string;
  /** Attempts that have failed. */
  readonly attempts: number;
  readonly expiresAt: Date;
  readonly mail: Mail;
}

interface Row {
  id: string;
  lane: string;
  sealed_mail: Buffer;
  attempts: number;
  expires_at: Date;
}

interface NewMail {
  readonly expiresAt: Date;
  readonly workspaceId?: WorkspaceId;
}

/** The SQL of the queue of mails. A lease is a `claim` token, and a `next_attempt_at` in the future. */
@Injectable()
export class OutgoingMails {
  constructor(
    private readonly database: Database,
    private readonly jobDatabase: JobDatabase,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly logger: Logger,
    retention: Retention,
  ) {
    secrets.keptIn({ table: 'outgoing_mails', column: 'sealed_mail', placeOf });
    retention.keep('outgoing_mails', 'failed_at', KEEP_FAILED_MS);
  }

  /**
   * Stores a mail with a lease for this process, in the current unit of work. Undefined if it has expired, or if too many
   * mails of its lane are waiting: nothing is stored then, at the cost of the same statement.
   */
  async add({ to, subject, text }: Mail, { expiresAt, workspaceId }: NewMail): Promise<Claim | undefined> {
    const id = randomUUID();
    const token = randomUUID();
    const lane = workspaceId ?? this.secrets.sign(foldText(to), 'mail recipient');
    const sealed = await this.secrets.seal(JSON.stringify({ to, subject, text }), placeOf(id));
    const now = this.clock.now();
    const stored = await this.database.sql(
      `INSERT INTO outgoing_mails (id, lane, sealed_mail, claim, next_attempt_at, created_at, expires_at)
       SELECT $1::uuid, $2::text, $3::bytea, $4::uuid, $5::timestamptz, $6::timestamptz, $7::timestamptz
       WHERE $7::timestamptz > $6::timestamptz AND $8::int > (
         SELECT count(*) FROM (SELECT FROM outgoing_mails WHERE lane = $2 AND failed_at IS NULL LIMIT $8::int) AS waiting
       )
       RETURNING 1`,
      [
        ...[id, lane, sealed, token, leaseFrom(now), now, expiresAt],
        workspaceId ? MAX_WAITING_OF_WORKSPACE : MAX_WAITING_TO_RECIPIENT,
      ],
    );
    if (stored.length === 0) return undefined;
    return { id, token, lane, attempts: 0, expiresAt, mail: { id, to, subject, text } };
  }

  /** Claims due mails, of each lane as many as it has places left beside `held`. The oldest of each lane come first. */
  async claim(capacity: number, held: readonly Claim[]): Promise<Claim[]> {
    const now = this.clock.now();
    const token = randomUUID();
    const taken = countByLane(held);
    const full = [...taken].filter(([, places]) => places >= PER_LANE).map(([lane]) => lane);
    const rows = await this.jobDatabase.sql<Row>(
      `WITH due AS (
         SELECT id, lane, next_attempt_at FROM outgoing_mails
         WHERE next_attempt_at <= $1 AND lane <> ALL($5::text[]) AND id <> ALL($6::uuid[])
         ORDER BY next_attempt_at LIMIT ${WINDOW}
       ), numbered AS (
         SELECT *, row_number() OVER (PARTITION BY lane ORDER BY next_attempt_at) AS place FROM due
       ), fair AS (
         SELECT numbered.id FROM numbered
         LEFT JOIN unnest($7::text[], $8::int[]) AS held (lane, places) USING (lane)
         WHERE place <= ${PER_LANE} - coalesce(places, 0) ORDER BY place, next_attempt_at LIMIT $2::int
       ), free AS MATERIALIZED (
         SELECT mail.id FROM outgoing_mails mail JOIN fair USING (id) WHERE mail.next_attempt_at <= $1
         FOR NO KEY UPDATE OF mail SKIP LOCKED
       )
       UPDATE outgoing_mails mail SET claim = $3, next_attempt_at = $4 FROM free WHERE mail.id = free.id
       RETURNING mail.id, mail.lane, mail.sealed_mail, mail.attempts, mail.expires_at`,
      [
        ...[now, capacity, token, leaseFrom(now), full, held.map(({ id }) => id)],
        [...taken.keys()],
        [...taken.values()],
      ],
    );
    return rows.flatMap((row) => this.readable(row, token));
  }

  /** Deletes a mail that was sent. */
  async remove({ id }: Claim): Promise<void> {
    await this.jobDatabase.sql('DELETE FROM outgoing_mails WHERE id = $1', [id]);
  }

  async postpone({ id, token, attempts }: Claim, until: Date): Promise<void> {
    await this.jobDatabase.sql(
      `UPDATE outgoing_mails SET claim = NULL, next_attempt_at = $3, attempts = $4 WHERE id = $1 AND claim = $2`,
      [id, token, until, attempts],
    );
  }

  /** Keeps the fact alone: without its content, the row holds no secret. */
  async fail({ id, token, attempts }: Claim, failure: string): Promise<void> {
    await this.jobDatabase.sql(
      `UPDATE outgoing_mails
       SET claim = NULL, next_attempt_at = NULL, sealed_mail = NULL, attempts = $3, failed_at = $4, failure = $5
       WHERE id = $1 AND claim = $2`,
      [id, token, attempts, this.clock.now(), failure],
    );
  }

  /** Ends leases before anything was sent, for any instance to take over. */
  async release(claims: readonly Claim[]): Promise<void> {
    await this.jobDatabase.sql(
      `UPDATE outgoing_mails mail SET claim = NULL, next_attempt_at = $3
       FROM unnest($1::uuid[], $2::uuid[]) AS given (id, claim)
       WHERE (mail.id, mail.claim) = (given.id, given.claim)`,
      [claims.map(({ id }) => id), claims.map(({ token }) => token), this.clock.now()],
    );
  }

  /** A mail that can't be decrypted is claimed again after its lease, and keeps no other from being sent. */
  private readable(
    { id, lane, attempts, expires_at: expiresAt, sealed_mail: sealed }: Row,
    token: string,
  ): Claim[] {
    try {
      const mail = JSON.parse(this.secrets.open(sealed, placeOf(id))) as Mail;
      return [{ id, lane, attempts, expiresAt, token, mail: { id, ...mail } }];
    } catch (error) {
      this.logger.warn({ ...describeError(error), id }, 'an outgoing mail can’t be decrypted');
      return [];
    }
  }
}

export function countByLane(claims: readonly Claim[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lane } of claims) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  return counts;
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
