import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import { fromUuid, toUuid, type UserId } from '../../../kernel/ids';
import { foldText } from '../../../kernel/text';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { Database } from '../../../platform/persistence/database';
import { AccountRepository, type Authenticator, type PasswordReset } from '../application/account-repository';
import type { User } from '../domain/user';
import { toUser, USER_COLUMNS, type UserRow } from './user-row';

@Injectable()
export class PostgresAccountRepository extends AccountRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
    secrets.keptIn({
      table: 'users',
      column: 'totp_secret',
      placeOf: (uuid) => placeOf(fromUuid('user', uuid)),
    });
  }

  async findOrAdd(user: User): Promise<User> {
    await this.database.sql(
      `INSERT INTO users (id, email, email_key, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [toUuid(user.id), user.email, foldText(user.email), user.createdAt],
    );
    const stored = await this.findByEmail(user.email);
    // A second unique index, on PostgreSQL's lower() for the previous release, may equate addresses that we tell apart.
    if (!stored) {
      throw new ValidationFailed({
        field: 'email',
        message: 'is too similar to the address of another account',
      });
    }
    return stored;
  }

  findByEmail(email: string): Promise<User | undefined> {
    return this.user(`SELECT ${USER_COLUMNS} FROM users WHERE email_key = $1`, foldText(email));
  }

  async emailsOf(ids: readonly UserId[]): Promise<Map<UserId, string>> {
    const rows = await this.database.sql<{ id: string; email: string }>(
      'SELECT id, email FROM users WHERE id = ANY($1::uuid[])',
      [ids.map(toUuid)],
    );
    return new Map(rows.map(({ id, email }) => [fromUuid('user', id), email]));
  }

  lock(id: UserId): Promise<User | undefined> {
    return this.user(`SELECT ${USER_COLUMNS} FROM users WHERE id = $1 FOR NO KEY UPDATE`, toUuid(id));
  }

  async setPassword(id: UserId, passwordHash: string): Promise<void> {
    // Someone who knew the old password may have seen the secret of an authenticator that is being set up.
    await this.database.sql(
      `UPDATE users
       SET password_hash = $2, totp_secret = CASE WHEN totp_enabled_at IS NOT NULL THEN totp_secret END
       WHERE id = $1`,
      [toUuid(id), passwordHash],
    );
  }

  async markEmailProven(id: UserId): Promise<void> {
    await this.database.sql('UPDATE users SET email_is_proven = true WHERE id = $1', [toUuid(id)]);
  }

  async authenticator(id: UserId): Promise<Authenticator | undefined> {
    const [row] = await this.database.sql<{ totp_secret: Buffer | null; totp_last_step: string | null }>(
      'SELECT totp_secret, totp_last_step FROM users WHERE id = $1',
      [toUuid(id)],
    );
    if (!row?.totp_secret) return undefined;
    return {
      secret: this.secrets.open(row.totp_secret, placeOf(id)),
      lastStep: row.totp_last_step === null ? null : Number(row.totp_last_step),
    };
  }

  async prepareAuthenticator(id: UserId, secret: string): Promise<void> {
    const sealed = await this.secrets.seal(secret, placeOf(id));
    await this.database.sql(
      'UPDATE users SET totp_secret = $2, totp_last_step = NULL WHERE id = $1 AND totp_enabled_at IS NULL',
      [toUuid(id), sealed],
    );
  }

  async confirmAuthenticator(id: UserId, step: number, now: Date): Promise<void> {
    await this.database.sql('UPDATE users SET totp_enabled_at = $2, totp_last_step = $3 WHERE id = $1', [
      toUuid(id),
      now,
      step,
    ]);
  }

  async useStep(id: UserId, step: number): Promise<boolean> {
    const used = await this.database.sql(
      `UPDATE users SET totp_last_step = $2
       WHERE id = $1 AND totp_enabled_at IS NOT NULL AND (totp_last_step IS NULL OR totp_last_step < $2)
       RETURNING id`,
      [toUuid(id), step],
    );
    return used.length > 0;
  }

  async removeAuthenticator(id: UserId): Promise<void> {
    await this.database.sql(
      `WITH codes AS (DELETE FROM recovery_codes WHERE user_id = $1)
       UPDATE users SET totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL WHERE id = $1`,
      [toUuid(id)],
    );
  }

  /** Must run inside a unit of work, since it takes two statements. */
  async replaceRecoveryCodes(id: UserId, hashes: Buffer[]): Promise<void> {
    await this.database.sql('DELETE FROM recovery_codes WHERE user_id = $1', [toUuid(id)]);
    await this.database.sql('INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])', [
      toUuid(id),
      hashes,
    ]);
  }

  async countRecoveryCodes(id: UserId): Promise<number> {
    const [row] = await this.database.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM recovery_codes WHERE user_id = $1',
      [toUuid(id)],
    );
    return row!.count;
  }

  async useRecoveryCode(id: UserId, hash: Buffer): Promise<boolean> {
    const used = await this.database.sql(
      'DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2 RETURNING user_id',
      [toUuid(id), hash],
    );
    return used.length > 0;
  }

  async addPasswordReset(id: UserId, { hash, expiresAt, isMailed }: PasswordReset): Promise<void> {
    await this.database.sql(
      `INSERT INTO password_resets (hash, user_id, expires_at, is_mailed) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id) DO UPDATE
         SET hash = excluded.hash, expires_at = excluded.expires_at, is_mailed = excluded.is_mailed`,
      [hash, toUuid(id), expiresAt, isMailed],
    );
  }

  async findPasswordReset(hash: Buffer, now: Date): Promise<{ user: User; isMailed: boolean } | undefined> {
    const [row] = await this.database.sql<UserRow & { is_mailed: boolean }>(
      `SELECT ${USER_COLUMNS}, is_mailed FROM password_resets JOIN users ON users.id = user_id
       WHERE hash = $1 AND expires_at > $2`,
      [hash, now],
    );
    return row && { user: toUser(row), isMailed: row.is_mailed };
  }

  async removePasswordResets(id: UserId): Promise<void> {
    await this.database.sql('DELETE FROM password_resets WHERE user_id = $1', [toUuid(id)]);
  }

  private async user(text: string, ...values: unknown[]): Promise<User | undefined> {
    const [row] = await this.database.sql<UserRow>(text, values);
    return row && toUser(row);
  }
}

function placeOf(id: UserId): string {
  return `authenticator of ${id}`;
}
