import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { hashSecretToken } from '../../../kernel/secret-token';
import { SEEN_EVERY_MS, type Session } from '../domain/session';
import type { User } from '../domain/user';
import { SessionRepository } from './account-repository';

/** Sessions, found by the browser's secret. Every page looks its session up, so signing out takes effect at once. */
@Injectable()
export class Sessions {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async find(secret: string): Promise<{ user: User; session: Session } | undefined> {
    const hash = hashSecretToken(secret);
    const now = this.clock.now();
    const found = await this.sessions.find(hash, now);
    if (found && now.getTime() - found.session.lastSeenAt.getTime() > SEEN_EVERY_MS) {
      await this.sessions.touch(hash, now);
    }
    return found;
  }

  /** The sessions of a user, latest first. Each says whether it belongs to this browser. */
  async list(user: User, secret: string): Promise<(Session & { isCurrent: boolean })[]> {
    const current = hashSecretToken(secret);
    const all = await this.sessions.list(user.id, this.clock.now());
    return all.map(({ hash, ...session }) => ({ ...session, isCurrent: hash.equals(current) }));
  }

  async end(secret: string): Promise<void> {
    await this.sessions.remove(hashSecretToken(secret));
  }

  async endAll(user: User): Promise<void> {
    await this.sessions.removeAll(user.id);
  }
}
