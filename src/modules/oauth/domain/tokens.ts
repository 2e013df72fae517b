import { newSecretToken } from '../../../kernel/secret-token';

export const CODE_SECONDS = 300;
export const ACCESS_TOKEN_SECONDS = 3600;
export const REFRESH_TOKEN_SECONDS = 90 * 24 * 3600;
/** How long a refresh token that was used may be used again, for when the answer got lost. */
const RETRY_SECONDS = 60;
/**
 * No answer leaves sooner after its refresh token was used. Who sends the same token within this time can't have
 * missed the answer, but is racing for it.
 */
export const ANSWER_AFTER_MS = 200;

export const newCode = (): string => `gala_ac_${newSecretToken()}`;
export const newAccessToken = (): string => `gala_at_${newSecretToken()}`;
export const newRefreshToken = (): string => `gala_rt_${newSecretToken()}`;

export const isAccessToken = (token: string): boolean => token.startsWith('gala_at_');

/** What is known of the refresh tokens of a grant when one of them is presented. */
export interface Rotation {
  /** Of the latest refresh token. */
  readonly generation: number;
  /** When that generation began; null for the first. */
  readonly rotatedAt: Date | null;
}

/**
 * What a refresh token is worth. `next` is the latest one; `retry` the one before, whose answer may have got lost;
 * `busy` one that another request was using at the very moment; anything older was stolen, or its successor was.
 */
export function judgeRefresh(
  presented: number,
  { generation, rotatedAt }: Rotation,
  { receivedAt, now }: { receivedAt: Date; now: Date },
): 'next' | 'retry' | 'busy' | 'stolen' {
  if (presented === generation) return 'next';
  if (presented !== generation - 1 || !rotatedAt) return 'stolen';
  if (receivedAt.getTime() < rotatedAt.getTime() + ANSWER_AFTER_MS) return 'busy';
  return now.getTime() - rotatedAt.getTime() <= RETRY_SECONDS * 1000 ? 'retry' : 'stolen';
}
