import { newSecretToken } from '../../../kernel/secret-token';

export const CODE_SECONDS = 300;
export const ACCESS_TOKEN_SECONDS = 3600;
export const REFRESH_TOKEN_SECONDS = 90 * 24 * 3600;
/** How long a used refresh token may be used again, in case the answer was lost. */
const RETRY_SECONDS = 60;
/**
 * The least time between the use of a refresh token and the answer. A second request with the same token within this time
 * can't be a retry of a lost answer: it is a race.
 */
export const ANSWER_AFTER_MS = 200;

export const newCode = (): string => `gala_ac_${newSecretToken()}`;
export const newAccessToken = (): string => `gala_at_${newSecretToken()}`;
export const newRefreshToken = (): string => `gala_rt_${newSecretToken()}`;

export const isAccessToken = (token: string): boolean => token.startsWith('gala_at_');

/** The state of a grant's refresh tokens. */
export interface Rotation {
  /** The generation of the latest refresh token. */
  readonly generation: number;
  /** When that generation started; null for the first. */
  readonly rotatedAt: Date | null;
}

/**
 * How to treat a refresh token. `next`: it is the latest. `retry`: it is the previous one, whose answer may have been lost.
 * `busy`: another request is using it at the same moment. Anything older means that it or a successor was stolen.
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
