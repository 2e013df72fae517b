import { Injectable } from '@nestjs/common';
import { toUuid, type UserId } from '../../../kernel/ids';
import { Database } from '../../../platform/persistence/database';
import { SessionRepository } from '../application/account-repository';
import { IDLE_MS, type Session } from '../domain/session';
import type { User } from '../domain/user';
import { toUser, USER_COLUMNS, type UserRow } from './user-row';

interface Row {
  awaits_second_factor: boolean;
  address: string;
  user_agent: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

const COLUMNS = `sessions.awaits_second_factor, sessions.address, sessions.user_agent, sessions.created_at,
  sessions.last_seen_at, sessions.expires_at`;

@Injectable()
export class PostgresSessionRepository extends SessionRepository {
  constructor(private readonly database: Database) {
    super();
  }

  /**
   * Also deletes expired sessions. The lock waits for a concurrent change of the password or second factor, which ends all
   * sessions that exist by then.
   */
  async add(hash: Buffer, user: User, session: Session): Promise<boolean> {
    const added = await this.database.sql(
      `
       WITH expired AS (DELETE FROM sessions WHERE expires_at <= $6)
       INSERT INTO sessions (hash, user_id, awaits_second_factor, address, user_agent, created_at, last_seen_at, expires_at)
       SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM users
       WHERE id = $2 AND password_hash IS NOT DISTINCT FROM $9 AND totp_enabled_at IS NOT DISTINCT FROM $10
       FOR SHARE
       RETURNING hash`,
      [
        hash,
        toUuid(user.id),
        session.awaitsSecondFactor,
        session.address,
        session.userAgent,
        session.createdAt,
        session.lastSeenAt,
        session.expiresAt,
        user.passwordHash,
        user.secondFactorSince,
      ],
    );
    return added.length > 0;
  }

  async find(hash: Buffer, now: Date): Promise<{ user: User; session: Session } | undefined> {
    const [row] = await this.database.sql<Row & UserRow>(
      `SELECT ${COLUMNS}, ${USER_COLUMNS} FROM sessions JOIN users ON users.id = sessions.user_id
       WHERE hash = $1 AND expires_at > $2 AND last_seen_at > $3`,
      [hash, now, idleSince(now)],
    );
    return row && { user: toUser(row), session: toSession(row) };
  }

  async touch(hash: Buffer, now: Date): Promise<void> {
    await this.database.sql('UPDATE sessions SET last_seen_at = $2 WHERE hash = $1', [hash, now]);
  }

  async list(userId: UserId, now: Date): Promise<(Session & { hash: Buffer })[]> {
    const rows = await this.database.sql<Row & { hash: Buffer }>(
      `SELECT hash, ${COLUMNS} FROM sessions
       WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3 AND NOT awaits_second_factor
       ORDER BY last_seen_at DESC, hash LIMIT 50`,
      [toUuid(userId), now, idleSince(now)],
    );
    return rows.map((row) => ({ ...toSession(row), hash: row.hash }));
  }

  async remove(hash: Buffer): Promise<void> {
    await this.database.sql('DELETE FROM sessions WHERE hash = $1', [hash]);
  }

  async removeAll(userId: UserId, except?: Buffer): Promise<void> {
    await this.database.sql('DELETE FROM sessions WHERE user_id = $1 AND hash IS DISTINCT FROM $2', [
      toUuid(userId),
      except ?? null,
    ]);
  }
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

function toSession(row: Row): Session {
  return {
    awaitsSecondFactor: row.awaits_second_factor,
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  };
}
