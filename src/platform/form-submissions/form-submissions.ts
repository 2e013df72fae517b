import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { hashSecretToken } from '../../kernel/secret-token';
import { SecretBox } from '../encryption/secret-box';
import { BackgroundJobs } from '../jobs/background-jobs';
import { PeriodicWork } from '../jobs/periodic-work';
import { describeError } from '../logging/describe-error';
import { Logger } from '../logging/logger';
import { clearOldRows } from '../persistence/clear-old-rows';
import { Database } from '../persistence/database';

const KEEP_MS = 24 * 3600 * 1000;
const CLEARING_INTERVAL_MS = 3600 * 1000;
/** Of one browser. Those sent longest ago are forgotten first. */
const MAX_SUBMISSIONS = 50;
/** Several times the largest page that a form leads to. */
const MAX_RESULT_LENGTH = 64 * 1024;

const placeOf = (id: string) => `form submission ${id}`;

/** A form that was sent. */
export interface Submission {
  /** The secret of the browser that sent it. */
  readonly browserSecret: string;
  /** Of the form, made when it was rendered. */
  readonly token: string;
  /** Where it was sent and with which fields, in a form that is the same for the same content. */
  readonly content: string;
}

/** An earlier submission of the same form. */
export interface EarlierSubmission {
  readonly hasSameContent: boolean;
  /** Undefined when it was too large to keep. */
  readonly result?: string;
}

interface Row {
  fingerprint: Buffer;
  sealed_result: Buffer | null;
}

/** The results of forms, kept for 24 hours, so that a form that is sent again shows its result again. */
@Injectable()
export class FormSubmissions implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {
    secrets.keptIn({ table: 'form_submissions', column: 'sealed_result', placeOf });
  }

  onModuleInit(): void {
    const failed = (error: unknown) =>
      this.logger.warn(describeError(error), 'old form submissions could not be deleted');
    const clear = (signal: AbortSignal) =>
      clearOldRows(this.database, {
        table: 'form_submissions',
        column: 'created_at',
        before: this.oldest(),
        signal,
      });
    this.jobs.register(new PeriodicWork(clear, CLEARING_INTERVAL_MS, failed));
  }

  /**
   * Within the transaction that makes the form's changes: the earlier submission, or undefined for the first one. While that is
   * at work, others wait for its row. If it fails, the next of them is the first.
   */
  async begin(submission: Submission): Promise<EarlierSubmission | undefined> {
    const id = idOf(submission);
    // The content holds the CSRF token, which isn't in the database: nobody can test guesses at a password by this hash.
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

  /** Keeps the result, encrypted: pages show secrets. */
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

  /** For a form that changed nothing, and may be corrected and sent again. */
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

/** As PostgreSQL writes a uuid: encrypted results are found by it. */
function idOf({ browserSecret, token }: Submission): string {
  const hash = createHash('sha256').update(`${browserSecret} ${token}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
