import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { hashSecretToken } from '../../kernel/secret-token';
import { SecretBox } from '../encryption/secret-box';
import { Retention } from '../jobs/retention';
import { Database } from '../persistence/database';

const KEEP_MS = 24 * 3600 * 1000;
/** Of one browser; the oldest are deleted first. */
const MAX_SUBMISSIONS = 50;
/** In characters: several times the largest page that a form leads to. */
const MAX_RESULT_LENGTH = 64 * 1024;

const placeOf = (id: string) => `form submission ${id}`;

export interface Submission {
  /** The secret of the browser that sent the form. */
  readonly browserSecret: string;
  /** The form's own token, made when it was rendered. */
  readonly token: string;
  /** The form's address and fields as canonical text: equal submissions have equal texts. */
  readonly content: string;
}

/** An earlier submission of the same form. */
export interface EarlierSubmission {
  readonly hasSameContent: boolean;
  /** Undefined when the result was too large to keep. */
  readonly result?: string;
}

interface Row {
  fingerprint: Buffer;
  sealed_result: Buffer | null;
}

/** Keeps the results of forms for 24 hours, so that a form sent twice takes effect once and shows the same result. */
@Injectable()
export class FormSubmissions {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    retention: Retention,
  ) {
    secrets.keptIn({ table: 'form_submissions', column: 'sealed_result', placeOf });
    retention.keep('form_submissions', 'created_at', KEEP_MS);
  }

  /**
   * Resolves to the earlier submission of the form, or to undefined for the first one. Call it in the transaction that makes
   * the form's changes: until that ends, other submissions of the form wait for its row. After a rollback the next one is the
   * first.
   */
  async begin(submission: Submission): Promise<EarlierSubmission | undefined> {
    const id = idOf(submission);
    // The content holds the CSRF token, which isn't in the database: so the hash can't be used to guess a typed password.
    const fingerprint = createHash('sha256').update(submission.content).digest();
    const begun = await this.database.query({
      text: `INSERT INTO form_submissions AS kept (id, browser, fingerprint, created_at)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (id) DO UPDATE SET fingerprint = $3, created_at = $4, sealed_result = NULL
               WHERE kept.created_at <= $5
             RETURNING 1`,
      values: [id, hashSecretToken(submission.browserSecret), fingerprint, this.clock.now(), this.oldest()],
    });
    if (begun.length > 0) return undefined;
    const [row] = await this.database.query<Row>({
      text: 'SELECT fingerprint, sealed_result FROM form_submissions WHERE id = $1',
      values: [id],
    });
    const { fingerprint: earlier, sealed_result: sealed } = row!;
    return {
      hasSameContent: earlier.equals(fingerprint),
      ...(sealed && { result: this.secrets.open(sealed, placeOf(id)) }),
    };
  }

  /** Keeps the result, encrypted, since pages may show secrets. */
  async finish(submission: Submission, result: string): Promise<void> {
    const id = idOf(submission);
    const sealed = result.length > MAX_RESULT_LENGTH ? null : await this.secrets.seal(result, placeOf(id));
    await this.database.query({
      text: `WITH forgotten AS (
               DELETE FROM form_submissions WHERE id IN (
                 SELECT id FROM form_submissions WHERE browser = $3 AND position <= (
                   SELECT position FROM form_submissions WHERE browser = $3
                   ORDER BY position DESC LIMIT 1 OFFSET ${MAX_SUBMISSIONS}
                 ) FOR UPDATE SKIP LOCKED
               )
             )
             UPDATE form_submissions SET sealed_result = $2 WHERE id = $1`,
      values: [id, sealed, hashSecretToken(submission.browserSecret)],
    });
  }

  /** For a form that was refused: it has changed nothing, and may be corrected and sent again. */
  async forget(submission: Submission): Promise<void> {
    await this.database.query({
      text: 'DELETE FROM form_submissions WHERE id = $1',
      values: [idOf(submission)],
    });
  }

  private oldest(): Date {
    return new Date(this.clock.now().getTime() - KEEP_MS);
  }
}

/** In PostgreSQL's spelling of a UUID, since the id is part of the encryption context. */
function idOf({ browserSecret, token }: Submission): string {
  const hash = createHash('sha256').update(`${browserSecret} ${token}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
