import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { ValidationFailed } from '../../kernel/errors';
import { toUuid } from '../../kernel/ids';
import type { Principal } from '../../kernel/principal';
import { SecretBox } from '../encryption/secret-box';
import { Retention } from '../jobs/retention';
import { Database } from '../persistence/database';

const KEEP_MS = 24 * 3600 * 1000;

const placeOf = (id: string) => `idempotency ${id}`;

/** A request with an idempotency key: it takes effect once, however often it is sent. */
export interface IdempotentRequest {
  readonly caller: Principal;
  /** Identifies the request within its workspace and mode: method, path and the client's key. */
  readonly name: string;
  /** The query and body as canonical text: equal requests have equal texts. */
  readonly input: string;
}

export interface Answer {
  readonly body: unknown;
  readonly location?: string;
  /** A secret answer is kept encrypted, and replayed only to its own credential, until that is rotated. */
  readonly isSecret: boolean;
}

interface Row {
  fingerprint: Buffer;
  answer: string | null;
  sealed_answer: Buffer | null;
  credential_id: string | null;
  location: string | null;
}

/** Keeps answers for 24 hours, so that a request sent again gets the same answer and takes no effect again. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    retention: Retention,
  ) {
    secrets.keptIn({ table: 'idempotency_keys', column: 'sealed_answer', placeOf });
    retention.keep('idempotency_keys', 'created_at', KEEP_MS);
  }

  /**
   * Resolves to the kept answer, or to undefined for the first request. Call it in the transaction that makes the request's
   * changes: until that ends, repetitions wait for its row. After a rollback the next one is the first.
   *
   * @throws ValidationFailed when the key was used for another request, or the answer is a secret of another credential
   */
  async begin(request: IdempotentRequest): Promise<Answer | undefined> {
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

  async finish(request: IdempotentRequest, { body, location, isSecret }: Answer): Promise<void> {
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

  private replay(request: IdempotentRequest, fingerprint: Buffer, row: Row): Answer {
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

function rowOf(request: IdempotentRequest): unknown[] {
  const { workspaceId, mode } = request.caller;
  return [toUuid(workspaceId), mode, idOf(request)];
}

/** A UUID in PostgreSQL's spelling, since it is part of the encryption context; unique to the workspace and mode. */
function idOf({ caller: { workspaceId, mode }, name }: IdempotentRequest): string {
  const hash = createHash('sha256').update(`${workspaceId} ${mode} ${name}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
