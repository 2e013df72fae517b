import { fromUuid } from '../../../kernel/ids';
import { User } from '../domain/user';

export interface UserRow {
  user_id: string;
  email: string;
  user_created_at: Date;
  password_hash: string | null;
  totp_enabled_at: Date | null;
  email_is_proven: boolean;
}

export const USER_COLUMNS = `users.id AS user_id, users.email, users.created_at AS user_created_at, users.password_hash,
  users.totp_enabled_at, users.email_is_proven`;

export function toUser(row: UserRow): User {
  return User.from({
    id: fromUuid('user', row.user_id),
    email: row.email,
    createdAt: row.user_created_at,
    passwordHash: row.password_hash,
    secondFactorSince: row.totp_enabled_at,
    emailIsProven: row.email_is_proven,
  });
}
