import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster';
import { EmbeddedPostgresError } from './errors';
import { Postmaster } from './postmaster';
import { connect, Session } from './session';
import { withStartLock } from './start-lock';

/** There is at most one service, which owns the server and stops it. Commands share the server. */
export type Role = 'service' | 'command';

export interface Member {
  role: Role;
  pid: number;
}

type Restart = (previous: Postmaster) => Promise<Postmaster>;

/** "gala" in ASCII. Advisory locks of this class show which processes use the server. */
const LOCK_CLASS = 0x67616c61;
const LOCKS: Record<Role, string> = {
  service: `select pg_try_advisory_lock(${LOCK_CLASS}, 1) as taken`,
  command: `select pg_try_advisory_lock_shared(${LOCK_CLASS}, 2) as taken`,
};
const OTHERS = `
  select distinct activity.application_name as name
  from pg_locks lock join pg_stat_activity activity on activity.pid = lock.pid
  where lock.locktype = 'advisory' and lock.classid = ${LOCK_CLASS} and lock.granted
    and lock.database = (select oid from pg_database where datname = current_database())
    and lock.pid <> pg_backend_pid()`;

/** A killed service's session ends within this time. */
const TAKEOVER_MS = 1_000;
const REJOIN_INTERVAL_MS = 500;

/**
 * Registers this process as a user of the server: an advisory lock held by a separate connection. The kernel closes it when the
 * process is killed, so nothing has to be cleaned up, and a reused pid can't cause confusion.
 */
export class Membership {
  private left = false;

  private constructor(
    private readonly cluster: Cluster,
    private running: Postmaster,
    private readonly role: Role,
    private session: Session,
    private readonly restart: Restart,
  ) {
    this.watch();
  }

  /**
   * Takes ownership of the session.
   * @param restart restarts the server after it exited unexpectedly; only a service does this
   * @throws EmbeddedPostgresError if another service uses the server
   */
  static async join(
    cluster: Cluster,
    postmaster: Postmaster,
    role: Role,
    session: Session,
    restart: Restart,
  ): Promise<Membership> {
    const giveUpAt = Date.now() + TAKEOVER_MS;
    while (!(await takeLock(session, role))) {
      const other = (await othersOf(session)).find((member) => member.role === 'service');
      if (other && Date.now() > giveUpAt) {
        throw new EmbeddedPostgresError(
          `Another Gala process (pid ${other.pid}) is using the embedded PostgreSQL in ${cluster.directory}. ` +
            'Stop it first, or give this one its own DATA_DIR and PORT.',
        );
      }
      await sleep(50);
    }
    return new Membership(cluster, postmaster, role, session, restart);
  }

  static nameFor(role: Role): string {
    return `gala ${role} ${process.pid}`;
  }

  get postmaster(): Postmaster {
    return this.running;
  }

  /** Lets the process exit while the session is open. Call it when no query is pending. */
  rest(): void {
    this.session.unref();
  }

  /** The other processes that currently use the server. */
  async others(): Promise<Member[]> {
    this.session.ref();
    try {
      return await othersOf(this.session);
    } catch {
      const session = await connect(this.cluster, this.running, Membership.nameFor(this.role));
      return session ? othersOf(session).finally(() => session.end()) : [];
    }
  }

  async leave(): Promise<void> {
    this.left = true;
    this.session.ref();
    await this.session.end().catch(() => undefined);
  }

  private watch(): void {
    this.session.once('end', () => {
      if (!this.left) void this.rejoin();
    });
  }

  /**
   * PostgreSQL closes all sessions when one of its processes crashes, and recovers by itself. If its main process exits, the
   * service restarts it.
   */
  private async rejoin(): Promise<void> {
    await sleep(REJOIN_INTERVAL_MS, undefined, { ref: false });
    if (this.left) return;
    try {
      if (await this.reconnect()) return;
      if (this.role === 'command') return;
      // The start lock keeps other services from using the restarted server before this one has registered again.
      const isBack = await withStartLock(this.cluster.lockFile, async () => {
        if (this.left) return true;
        this.running = await this.restart(this.running);
        return this.reconnect();
      });
      if (isBack) return;
    } catch {
      // The cause may be temporary, such as a full disk or a used port.
    }
    await this.rejoin();
  }

  /** False if the server isn't running. */
  private async reconnect(): Promise<boolean> {
    const session = await connect(this.cluster, this.running, Membership.nameFor(this.role));
    if (!session) return false;
    if (this.left) {
      await session.end();
      return true;
    }
    this.session = session;
    this.watch();
    if (!(await this.retakeLock(session))) void this.insistOnLock(session);
    return true;
  }

  private async retakeLock(session: Session): Promise<boolean> {
    // If the session is lost meanwhile, its successor takes the lock.
    const taken = await takeLock(session, this.role).catch(() => true);
    if (!this.left) this.rest();
    return taken;
  }

  private async insistOnLock(session: Session): Promise<void> {
    do {
      await sleep(REJOIN_INTERVAL_MS, undefined, { ref: false });
    } while (!this.left && !(await this.retakeLock(session)));
  }
}

async function takeLock(session: Session, role: Role): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(LOCKS[role]);
  return rows[0]?.taken === true;
}

async function othersOf(session: Session): Promise<Member[]> {
  const { rows } = await session.query<{ name: string }>(OTHERS);
  return rows.map(({ name }) => {
    const [, role, pid] = name.split(' ');
    return { role: role as Role, pid: Number(pid) };
  });
}
