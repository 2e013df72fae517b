import { BadRequest, RateLimited } from '../../kernel/errors';

/**
 * What a request may cost at most, as far as it can be told before it is worked on. What it cost before says nothing: the
 * next one may cost a thousand times as much.
 */
export type Kind = 'small' | 'write' | 'large';

/** Turns of all tenants together. Large requests are what others wait for, on the event loop and at the database. */
const TURNS = { small: 64, large: 2 };
/** As many of them for one tenant while others are around. */
const TURNS_OF_ONE = { small: 8, write: 4, large: 1 };
/** Connections that large requests and writes leave to all others. */
const SPARE_CONNECTIONS = 2;

/** A write that takes longer waits for a lock or a mail server. It no longer keeps other tenants waiting. */
const COUNTED_MS = 1000;
const AROUND_MS = 10_000;
const FORGET_MS = 60_000;
/** What a waiting request takes of the room, unless its body is larger. */
const BYTES_WAITING = 32 * 1024;

/** Who asks: requests of one tenant share its turns, and among them the callers (credentials, addresses) share. */
export interface TurnTaker {
  readonly tenant: string;
  readonly caller: string;
}

interface WaitingRequest {
  readonly kind: Kind;
  /** Of its body. */
  readonly bytes: number;
  /** Whether anybody still waits for the answer. */
  readonly isWanted: () => boolean;
}

/** The right to be worked on, until the answer is ready. */
export interface Turn {
  leave(): void;
}

interface Tenant {
  readonly taken: Record<Kind, number>;
  readonly callers: Map<string, Caller>;
  waitingBytes: number;
  /** The number of its last turn, of all that were taken. */
  readonly lastTurn: Record<Kind, number>;
}

interface Caller {
  readonly tenant: Tenant;
  readonly taken: Record<Kind, number>;
  readonly queues: Record<Kind, Entry[]>;
  running: number;
  waitingBytes: number;
  readonly lastTurn: Record<Kind, number>;
  seenAt: number;
}

interface Entry {
  readonly caller: Caller;
  readonly request: WaitingRequest;
  readonly resolve: (turn: Turn) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Decides which request is worked on next. Each kind of request has its turns: while some are free anyone takes one; when
 * all are taken, the next goes to the waiting tenant with the fewest. While several tenants are around, each has a few.
 */
export class FairTurns {
  private readonly tenants = new Map<string, Tenant>();
  private readonly taken = none();
  private readonly waiting: Record<Kind, Set<Caller>> = {
    small: new Set(),
    write: new Set(),
    large: new Set(),
  };
  private readonly available: Record<Kind, number>;
  /** Of a large turn, for a tenant alone. */
  private readonly partOfOneAlone: number;
  /** The kinds of which turns have been returned in this turn of the event loop. */
  private readonly returned = new Set<Kind>();
  private waitingBytes = 0;
  private turns = 0;
  private lastTenant?: Tenant;
  private severalUntil = 0;
  private sweptAt = 0;

  constructor(
    private readonly options: {
      /** Connections to the database. */
      connections: number;
      /** Small requests that may wait; large ones take the room of several. */
      room: number;
      /** In milliseconds. */
      now: () => number;
      onRefused: () => void;
    },
  ) {
    const connections = Math.max(TURNS.large, options.connections - SPARE_CONNECTIONS);
    this.available = { ...TURNS, write: connections };
    this.partOfOneAlone = TURNS.large / connections;
  }

  /** @throws RateLimited if there is no room to wait, and this tenant takes the most of it */
  enter({ tenant: tenantId, caller: callerId }: TurnTaker, request: WaitingRequest): Turn | Promise<Turn> {
    const now = this.options.now();
    if (now - this.sweptAt > FORGET_MS) this.sweep(now);
    const tenant = this.tenantOf(tenantId, now);
    const caller = this.callerOf(tenant, callerId, now);
    const { kind } = request;
    const isFirst = caller.queues[kind].length === 0 && !this.returned.has(kind);
    if (isFirst && this.isFree(kind) && this.mayTake(tenant, kind)) return this.start(caller, kind);
    return new Promise((resolve, reject) => this.queue({ caller, request, resolve, reject }));
  }

  get countWaiting(): number {
    let count = 0;
    for (const [kind, callers] of Object.entries(this.waiting)) {
      for (const { queues } of callers) count += queues[kind as Kind].length;
    }
    return count;
  }

  private start(caller: Caller, kind: Kind): Turn {
    const { tenant } = caller;
    // A tenant alone may have a large request on every connection but the spare ones.
    const part = kind === 'large' && !this.areSeveralAround ? this.partOfOneAlone : 1;
    this.taken[kind] += part;
    tenant.taken[kind] += part;
    caller.taken[kind] += part;
    caller.running++;
    caller.lastTurn[kind] = tenant.lastTurn[kind] = ++this.turns;
    let isCounted = true;
    const uncount = () => {
      if (isCounted) this.taken[kind] -= part;
      isCounted = false;
      if (this.waiting[kind].size > 0) this.passOn(kind);
    };
    const timer = kind === 'write' ? setTimeout(uncount, COUNTED_MS).unref() : undefined;
    return {
      leave: () => {
        clearTimeout(timer);
        tenant.taken[kind] -= part;
        caller.taken[kind] -= part;
        caller.running--;
        uncount();
      },
    };
  }

  /**
   * Requests that waited start together, once in each turn of the event loop. Started one from the other they would keep
   * the loop from everybody else, and a turn of the loop for each takes a fifth more processor time.
   */
  private passOn(kind: Kind): void {
    if (this.returned.size === 0) {
      setImmediate(() => {
        const kinds = [...this.returned];
        this.returned.clear();
        for (const each of kinds) this.next(each);
      });
    }
    this.returned.add(kind);
  }

  private next(kind: Kind): void {
    while (this.isFree(kind)) {
      let first: Caller | undefined;
      for (const caller of this.waiting[kind]) {
        if (this.mayTake(caller.tenant, kind) && (!first || precedes(caller, first, kind))) first = caller;
      }
      if (!first) return;
      const entry = first.queues[kind][0]!;
      this.unqueue(entry);
      if (entry.request.isWanted()) entry.resolve(this.start(first, kind));
      else entry.reject(new BadRequest('The client went away before its turn.'));
    }
  }

  private queue(entry: Entry): void {
    const { caller } = entry;
    const { kind } = entry.request;
    caller.queues[kind].push(entry);
    this.waiting[kind].add(caller);
    this.addWaiting(entry, 1);
    while (this.waitingBytes > this.options.room * BYTES_WAITING) this.refuseOne();
  }

  /** The newest request of whoever takes the most room, or one that nobody waits for any more. */
  private refuseOne(): void {
    const tenant = largest(this.tenants.values());
    const { queues } = largest(tenant.callers.values());
    const queue = [queues.large, queues.write, queues.small].find(({ length }) => length > 0)!;
    const entry = queue[0]!.request.isWanted() ? queue.at(-1)! : queue[0]!;
    this.unqueue(entry);
    this.options.onRefused();
    entry.reject(new RateLimited(1));
  }

  private unqueue(entry: Entry): void {
    const { caller } = entry;
    const { kind } = entry.request;
    const queue = caller.queues[kind];
    queue.splice(queue[0] === entry ? 0 : queue.lastIndexOf(entry), 1);
    if (queue.length === 0) this.waiting[kind].delete(caller);
    this.addWaiting(entry, -1);
  }

  private addWaiting({ caller, request }: Entry, sign: 1 | -1): void {
    const bytes = sign * Math.max(BYTES_WAITING, request.bytes);
    this.waitingBytes += bytes;
    caller.tenant.waitingBytes += bytes;
    caller.waitingBytes += bytes;
  }

  private isFree(kind: Kind): boolean {
    // A sum of parts is not exact.
    return this.taken[kind] < this.available[kind] - this.partOfOneAlone / 2;
  }

  private mayTake({ taken }: Tenant, kind: Kind): boolean {
    return taken[kind] < (this.areSeveralAround ? TURNS_OF_ONE[kind] : this.available[kind]);
  }

  private get areSeveralAround(): boolean {
    return this.options.now() < this.severalUntil;
  }

  private tenantOf(id: string, now: number): Tenant {
    let tenant = this.tenants.get(id);
    if (!tenant) {
      tenant = { taken: none(), callers: new Map(), waitingBytes: 0, lastTurn: none() };
      this.tenants.set(id, tenant);
    }
    if (this.lastTenant && this.lastTenant !== tenant) this.severalUntil = now + AROUND_MS;
    this.lastTenant = tenant;
    return tenant;
  }

  private callerOf(tenant: Tenant, id: string, now: number): Caller {
    let caller = tenant.callers.get(id);
    if (!caller) {
      caller = {
        tenant,
        taken: none(),
        queues: { small: [], write: [], large: [] },
        running: 0,
        waitingBytes: 0,
        lastTurn: none(),
        seenAt: now,
      };
      tenant.callers.set(id, caller);
    }
    caller.seenAt = now;
    return caller;
  }

  /** Forgets callers that nothing was heard of for a minute. */
  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [tenantId, { callers }] of this.tenants) {
      for (const [id, { seenAt, running, waitingBytes }] of callers) {
        if (running === 0 && waitingBytes === 0 && now - seenAt > FORGET_MS) callers.delete(id);
      }
      if (callers.size === 0) this.tenants.delete(tenantId);
    }
  }
}

const none = (): Record<Kind, number> => ({ small: 0, write: 0, large: 0 });

function precedes(one: Caller, other: Caller, kind: Kind): boolean {
  return (
    (one.tenant.taken[kind] - other.tenant.taken[kind] ||
      one.taken[kind] - other.taken[kind] ||
      one.tenant.lastTurn[kind] - other.tenant.lastTurn[kind] ||
      one.lastTurn[kind] - other.lastTurn[kind]) < 0
  );
}

function largest<Counted extends { waitingBytes: number }>(all: Iterable<Counted>): Counted {
  return [...all].reduce((one, other) => (other.waitingBytes > one.waitingBytes ? other : one));
}
