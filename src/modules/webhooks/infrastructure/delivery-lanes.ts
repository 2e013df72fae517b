import type { WebhookId, WorkspaceId } from '../../../kernel/ids';
import type { HeldEndpoint } from './claim-limits';
import type { Claim } from './delivery-queue';

/** Concurrent attempts for one endpoint: a load that any receiver can be expected to bear. */
const AT_ONCE = 50;
/** A response within this time is fast: the deliveries that wait behind it have their turn soon. */
const FAST_MS = 1000;

interface Lane {
  readonly workspaceId: WorkspaceId;
  sending: number;
  /** Only while `sending` is at its maximum. Called with false, they are released. */
  readonly waiting: ((isSent: boolean) => void)[];
  isFailing: boolean;
  isFast: boolean;
}

/**
 * Bounds the concurrent attempts for each endpoint. Deliveries beyond that are claimed in advance and wait here: otherwise
 * a fast endpoint would pause for every claim, which takes long while the database is busy. They are released when their
 * endpoint fails or is changed.
 */
export class DeliveryLanes {
  private readonly lanes = new Map<WebhookId, Lane>();
  /** Endpoints that were changed since the latest claim began; undefined stands for all of them. */
  private readonly changed = new Set<WebhookId | undefined>();

  constructor(private readonly release: (claim: Claim) => Promise<void>) {}

  /** Resolves to the outcome of `send`, which is undefined if nothing was sent; and to undefined if the claim is released. */
  async pass<Outcome extends { readonly succeeded: boolean }>(
    claim: Claim,
    send: () => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined> {
    const lane = this.isStale(claim) ? undefined : this.laneOf(claim);
    if (!lane || !(await turn(lane))) {
      await this.release(claim);
      return undefined;
    }
    const startedAt = performance.now();
    try {
      const outcome = await send();
      if (outcome) {
        lane.isFast = outcome.succeeded && performance.now() - startedAt < FAST_MS;
        lane.isFailing = !outcome.succeeded;
      }
      return outcome;
    } finally {
      this.endTurn(claim, lane);
    }
  }

  /** For a claim that begins now: of endpoints that are changed from now on, its deliveries are stale. */
  beginClaim(): HeldEndpoint[] {
    this.changed.clear();
    return [...this.lanes].map(([endpointId, { workspaceId, isFailing, isFast, sending, waiting }]) => ({
      endpointId,
      workspaceId,
      claims: sending + waiting.length,
      isFailing,
      isFast,
    }));
  }

  /** Releases the deliveries that wait for a changed endpoint, or for any. */
  recall(endpointId?: WebhookId): void {
    this.changed.add(endpointId);
    const lanes = endpointId === undefined ? [...this.lanes.values()] : [this.lanes.get(endpointId)];
    for (const lane of lanes) if (lane) releaseWaiting(lane);
  }

  private isStale({ endpointId }: Claim): boolean {
    return this.changed.has(endpointId) || this.changed.has(undefined);
  }

  private laneOf({ endpointId, workspaceId, isFailing }: Claim): Lane {
    const known = this.lanes.get(endpointId);
    const lane = known ?? { workspaceId, sending: 0, waiting: [], isFailing, isFast: false };
    lane.isFailing = isFailing;
    this.lanes.set(endpointId, lane);
    return lane;
  }

  private endTurn({ endpointId }: Claim, lane: Lane): void {
    if (lane.isFailing) releaseWaiting(lane);
    const next = lane.waiting.shift();
    if (next) return next(true);
    lane.sending--;
    if (lane.sending === 0) this.lanes.delete(endpointId);
  }
}

function turn(lane: Lane): Promise<boolean> {
  if (lane.sending === AT_ONCE) return new Promise((resolve) => lane.waiting.push(resolve));
  lane.sending++;
  return Promise.resolve(true);
}

function releaseWaiting(lane: Lane): void {
  for (const end of lane.waiting.splice(0)) end(false);
}
