import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { ValidationFailed } from '../../kernel/errors';
import { toUuid } from '../../kernel/ids';
import type { Principal } from '../../kernel/principal';
import { SecretBox } from '../encryption/secret-box';
import { BackgroundJobs } from '../jobs/background-jobs';
import { PeriodicWork } from '../jobs/periodic-work';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { clearOldRows } from '../persistence/clear-old-rows';
import { Database } from '../persistence/database';

const KEEP_MS = 24 * 3600 * 1000;
const CLEARING_INTERVAL_MS = 3600 * 1000;

const placeOf = (id: string) => `idempotency ${id}`;

/** A request that happens once, however often it is sent. */
export interface OneTimeRequest {
  readonly caller: Principal;
  /** By which it is told apart from others of the same workspace and mode: method, path and the client's key. */
  readonly name: string;
  /** What it asks for: equal inputs give equal strings. */
  readonly input: string;
}

export interface Answer {
  readonly body: unknown;
  readonly location?: string;
  /** Kept encrypted, and told again to none but the credential that it was made for, as long as that isn't replaced. */
  readonly isSecret: boolean;
}

interface Row {
  fingerprint: Buffer;
  answer: string | null;
  sealed_answer: Buffer | null;
  credential_id: string | null;
  location: string | null;
}

/** The answers that are kept for 24 hours, so that a request sent again is answered again and not done again. */
@Injectable()
export class IdempotencyKeys implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {
    secrets.keptIn({ table: 'idempotency_keys', column: 'sealed_answer', placeOf });
  }

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'old idempotency keys could not be thrown away');
    const clear = (signal: AbortSignal) =>
      clearOldRows(this.database, {
        table: 'idempotency_keys',
        column: 'created_at',
        before: this.oldest(),
        signal,
      });
    this.jobs.register(new PeriodicWork(clear, CLEARING_INTERVAL_MS, failed));
  }

  /**
   * Within the transaction in which the request is to be done: the answer that it has had, or undefined for the first one.
   * While that is at work, others wait at its row; if it fails, the next of them is the first.
   */
  async begin(request: OneTimeRequest): Promise<Answer | undefined> {
    const fingerprint = createHash('sha256').update(request.input).digest();
    const begun = await this.database.query({
      text: `INSERT INTO idempotency_keys AS kept (workspace_id, mode, id, fingerprint, created_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (workspace_id, mode, id) DO UPDATE
               SET fingerprint = $4, created_at = $5, answer = NULL, sealed_answer = NULL, credential_id = NULL, location = NULL
               WHERE kept.created_at <= $6
             RETURNING 1`,
      values: [...rowOf(request), fingerprint, this.clock.now(), this.oldest()],
    });
    if (begun.length > 0) return undefined;
    const [row] = await this.database.query<Row>({
      text: `SELECT fingerprint, answer, sealed_answer, credential_id, location
             FROM idempotency_keys WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: rowOf(request),
    });
    return this.replay(request, fingerprint, row!);
  }

  async finish(request: OneTimeRequest, { body, location, isSecret }: Answer): Promise<void> {
    const text = JSON.stringify(body ?? null);
    await this.database.query({
      text: `UPDATE idempotency_keys SET answer = $4, sealed_answer = $5, credential_id = $6, location = $7
             WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: [
        ...rowOf(request),
        isSecret ? null : text,
        isSecret ? await this.secrets.seal(text, placeOf(idOf(request))) : null,
        isSecret ? request.caller.credential.id : null,
        location ?? null,
      ],
    });
  }

  private replay(request: OneTimeRequest, fingerprint: Buffer, row: Row): Answer {
    if (!row.fingerprint.equals(fingerprint)) throw refusal('was used for a request with another body');
    const isSecret = row.sealed_answer !== null;
    if (isSecret && row.credential_id !== request.caller.credential.id) {
      throw refusal('was used with another credential, for an answer that holds a secret');
    }
    if (isSecret && request.caller.credential.isReplaced) {
      throw refusal(
        'was used for an answer that holds a secret, which a key that has been rotated doesn’t get again',
      );
    }
    const text = isSecret ? this.secrets.open(row.sealed_answer!, placeOf(idOf(request))) : row.answer!;
    return { body: JSON.parse(text), isSecret, ...(row.location && { location: row.location }) };
  }

  private oldest(): Date {
    return new Date(this.clock.now().getTime() - KEEP_MS);
  }
}

function refusal(reason: string): ValidationFailed {
  return new ValidationFailed({
    field: 'Idempotency-Key',
    message: `${reason} within the last 24 hours; use a new key for each new request`,
  });
}

function rowOf(request: OneTimeRequest): unknown[] {
  const { workspaceId, mode } = request.caller;
  return [toUuid(workspaceId), mode, idOf(request)];
}

/** As PostgreSQL writes a uuid. It is of that workspace and mode alone: encrypted answers are found by it. */
function idOf({ caller: { workspaceId, mode }, name }: OneTimeRequest): string {
  const hash = createHash('sha256').update(`${workspaceId} ${mode} ${name}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
