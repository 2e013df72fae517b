import { BadRequest, RateLimited } from '../../kernel/errors';

/** Requests that cost little, worked on at once: as many as keep one event loop and the database pool busy. */
const LIGHT_TURNS = 64;
/** As many of them for one tenant while others are around: the next one's wait for the event loop is bounded. */
const LIGHT_TURNS_OF_ONE = 24;
/** Heavy requests worked on at once while several tenants are around. */
const HEAVY_TURNS = 2;
const HEAVY_TURNS_OF_ONE = 1;
/** Connections that heavy requests leave to all others. */
const SPARE_CONNECTIONS = 2;

/** A request that costs more takes a heavy turn. In milliseconds, as everything that costs are about. */
const LIGHT_COST_MS = 5;
/** What a whole heavy turn is: cheaper requests take a part of one. */
const WHOLE_TURN_MS = 64;
/** What the first request to a route is taken to cost. */
const UNKNOWN_COST_MS = WHOLE_TURN_MS / 4;
/** What the event loop handles in a millisecond, to parse them or to make them. */
const BYTES_PER_MS = 50_000;
/** Costs rise fast and fall slowly, so that cheap requests among dear ones hide none. */
const RISE = 0.5;
const FALL = 0.1;

/** Whatever takes longer waits for somebody else: a lock, a mail server. It no longer keeps other tenants waiting. */
const COUNTED_MS = 1000;
const AROUND_MS = 10_000;
const FORGET_MS = 60_000;
/** What a waiting request takes of the room, unless its body is larger. */
const BYTES_WAITING = 32 * 1024;

type Kind = 'light' | 'heavy';

/** Who asks: requests of one tenant share its turns, and among them the callers (credentials, addresses) share. */
export interface TurnTaker {
  readonly tenant: string;
  readonly caller: string;
}

export interface WaitingRequest {
  readonly route: unknown;
  /** Of its body. */
  readonly bytes: number;
  /** Whether anybody still waits for the answer. */
  readonly isWanted: () => boolean;
}

/** The right to be worked on, until the answer is ready. */
export interface Turn {
  /** @param answerBytes of the answer */
  leave(answerBytes: number): void;
}

interface Tenant {
  readonly taken: Record<Kind, number>;
  readonly callers: Map<string, Caller>;
  waitingBytes: number;
}

interface Caller {
  readonly tenant: Tenant;
  readonly taken: Record<Kind, number>;
  readonly queues: Record<Kind, Entry[]>;
  /** By route, of recent requests. */
  readonly costs: Map<unknown, number>;
  running: number;
  waitingBytes: number;
  lastTurn: number;
  seenAt: number;
}

interface Entry {
  readonly caller: Caller;
  readonly kind: Kind;
  readonly request: WaitingRequest;
  readonly resolve: (turn: Turn) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Decides which request is worked on next. While turns are free anyone takes one; when all are taken, the next goes to the
 * waiting tenant with the fewest. Requests like those that lately were costly share a few heavy turns: while several tenants
 * are around, one for each of them.
 */
export class FairTurns {
  private readonly tenants = new Map<string, Tenant>();
  private readonly taken: Record<Kind, number> = { light: 0, heavy: 0 };
  private readonly waiting: Record<Kind, Set<Caller>> = { light: new Set(), heavy: new Set() };
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
      /** How long the event loop has been idle since the start, in milliseconds. */
      idle: () => number;
      onRefused: () => void;
    },
  ) {}

  /** @throws RateLimited if there is no room to wait, and this tenant takes the most of it */
  enter({ tenant: tenantId, caller: callerId }: TurnTaker, request: WaitingRequest): Turn | Promise<Turn> {
    const now = this.options.now();
    if (now - this.sweptAt > FORGET_MS) this.sweep(now);
    const tenant = this.tenantOf(tenantId, now);
    const caller = this.callerOf(tenant, callerId, now);
    const kind = this.costOf(caller, request.route) > LIGHT_COST_MS ? 'heavy' : 'light';
    if (caller.queues[kind].length === 0 && this.isFree(kind) && this.mayTake(tenant, kind)) {
      return this.start(caller, kind, request);
    }
    return new Promise((resolve, reject) => this.queue({ caller, kind, request, resolve, reject }));
  }

  get countWaiting(): number {
    let count = 0;
    for (const kind of ['light', 'heavy'] as const) {
      for (const { queues } of this.waiting[kind]) count += queues[kind].length;
    }
    return count;
  }

  private start(caller: Caller, kind: Kind, { route, bytes }: WaitingRequest): Turn {
    const { tenant } = caller;
    const weight = kind === 'light' ? 1 : this.weightOf(this.costOf(caller, route));
    const idleBefore = this.options.idle();
    this.taken[kind] += weight;
    tenant.taken[kind] += weight;
    caller.taken[kind] += weight;
    caller.running++;
    caller.lastTurn = ++this.turns;
    let isCounted = true;
    const uncount = () => {
      if (isCounted) this.taken[kind] -= weight;
      isCounted = false;
    };
    const timer =
      kind === 'heavy' &&
      setTimeout(() => {
        uncount();
        this.next(kind);
      }, COUNTED_MS).unref();
    return {
      leave: (answerBytes) => {
        if (timer) clearTimeout(timer);
        uncount();
        tenant.taken[kind] -= weight;
        caller.taken[kind] -= weight;
        caller.running--;
        const cost = this.options.idle() - idleBefore + (bytes + answerBytes) / BYTES_PER_MS;
        this.learn(caller, route, cost);
        if (this.waiting[kind].size > 0) this.next(kind);
      },
    };
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
      if (entry.request.isWanted()) entry.resolve(this.start(first, kind, entry.request));
      else entry.reject(new BadRequest('The client went away before its turn.'));
    }
  }

  private queue(entry: Entry): void {
    const { caller, kind } = entry;
    caller.queues[kind].push(entry);
    this.waiting[kind].add(caller);
    this.addWaiting(entry, 1);
    while (this.waitingBytes > this.options.room * BYTES_WAITING) this.refuseOne();
  }

  /** The newest request of whoever takes the most room. */
  private refuseOne(): void {
    const tenant = largest(this.tenants.values());
    const { queues } = largest(tenant.callers.values());
    const entry = (queues.heavy.at(-1) ?? queues.light.at(-1))!;
    this.unqueue(entry);
    this.options.onRefused();
    entry.reject(new RateLimited(1));
  }

  private unqueue(entry: Entry): void {
    const { caller, kind } = entry;
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
    return this.taken[kind] < (kind === 'light' ? LIGHT_TURNS : HEAVY_TURNS);
  }

  private mayTake({ taken }: Tenant, kind: Kind): boolean {
    if (!this.areSeveralAround) return true;
    return taken[kind] < (kind === 'light' ? LIGHT_TURNS_OF_ONE : HEAVY_TURNS_OF_ONE);
  }

  /** A tenant alone may have a heavy request on every connection but the spare ones. */
  private weightOf(cost: number): number {
    const most = this.areSeveralAround
      ? 1
      : HEAVY_TURNS / Math.max(1, this.options.connections - SPARE_CONNECTIONS);
    return Math.min(most, cost / WHOLE_TURN_MS);
  }

  private get areSeveralAround(): boolean {
    return this.options.now() < this.severalUntil;
  }

  private costOf({ costs }: Caller, route: unknown): number {
    return costs.get(route) ?? UNKNOWN_COST_MS;
  }

  private learn({ costs }: Caller, route: unknown, cost: number): void {
    const latest = Math.min(cost, WHOLE_TURN_MS);
    const before = costs.get(route) ?? latest;
    costs.set(route, before + (latest - before) * (latest > before ? RISE : FALL));
  }

  private tenantOf(id: string, now: number): Tenant {
    let tenant = this.tenants.get(id);
    if (!tenant) {
      tenant = { taken: { light: 0, heavy: 0 }, callers: new Map(), waitingBytes: 0 };
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
        taken: { light: 0, heavy: 0 },
        queues: { light: [], heavy: [] },
        costs: new Map(),
        running: 0,
        waitingBytes: 0,
        lastTurn: 0,
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

function precedes(one: Caller, other: Caller, kind: Kind): boolean {
  return (
    (one.tenant.taken[kind] - other.tenant.taken[kind] ||
      one.taken[kind] - other.taken[kind] ||
      one.lastTurn - other.lastTurn) < 0
  );
}

function largest<Counted extends { waitingBytes: number }>(all: Iterable<Counted>): Counted {
  return [...all].reduce((one, other) => (other.waitingBytes > one.waitingBytes ? other : one));
}
