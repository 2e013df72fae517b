import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster';
import { EmbeddedPostgresError } from './errors';
import { Postmaster } from './postmaster';
import { connect, Session } from './session';
import { withStartLock } from './start-lock';

/** A service owns the server: there is one, and the server ends with it. Commands share what is there. */
export type Role = 'service' | 'command';

export interface Member {
  role: Role;
  pid: number;
}

type Restart = (former: Postmaster) => Promise<Postmaster>;

/** "gala": advisory locks of this class show who uses the server. */
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

/** A killed service's session ends within moments, a living one's does not. */
const TAKEOVER_MS = 1_000;
const REJOIN_INTERVAL_MS = 500;

/**
 * This process's entry among the users of the server: a lock held by a connection of its own, which the
 * kernel closes when the process is killed. Nothing has to be cleaned up, and no reused pid can fool it.
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
   * Takes over the session. Fails when there is another service already.
   * @param restart starts the server again after it ended by itself; a command leaves that to the service
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
            'Stop it first, or run this one beside it with a DATA_DIR and a PORT of its own.',
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

  /** To be called when nothing is awaited on the session any more: it mustn't keep the process alive. */
  rest(): void {
    this.session.unref();
  }

  /** The other processes that use the server now. */
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

  /** PostgreSQL ends all its sessions when one of its processes crashes, and goes on by itself; not so its main one. */
  private async rejoin(): Promise<void> {
    await sleep(REJOIN_INTERVAL_MS, undefined, { ref: false });
    if (this.left) return;
    try {
      if (await this.reconnect()) return;
      if (this.role === 'command') return;
      // Until it is ours again, no other service may find the server that has been started again.
      const isBack = await withStartLock(this.cluster.lockFile, async () => {
        if (this.left) return true;
        this.running = await this.restart(this.running);
        return this.reconnect();
      });
      if (isBack) return;
    } catch {
      // Whatever it is, it may pass: the disk was full, the port taken.
    }
    await this.rejoin();
  }

  /** False when the server isn't there. */
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
    // If the session is lost meanwhile, the next one sees to it.
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
