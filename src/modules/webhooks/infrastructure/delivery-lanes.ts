import type { WebhookId, WorkspaceId } from '../../../kernel/ids';
import type { HeldEndpoint } from './claim-limits';
import type { Claim } from './delivery-queue';

/** Attempts at once for one endpoint: what a receiver can be expected to take. */
const AT_ONCE = 50;
/** An answer within this is fast: what waits behind it has its turn soon. */
const FAST_MS = 1000;

interface Lane {
  readonly workspaceId: WorkspaceId;
  readonly sending: Set<Promise<void>>;
  readonly waiting: Claim[];
  isFailing: boolean;
  isFast: boolean;
}

/**
 * What this instance has claimed, endpoint by endpoint: some is being sent, and the next waits here already. So an endpoint
 * that answers fast needn't pause for each claim, which takes long when the database is busy.
 */
export class DeliveryLanes {
  private readonly lanes = new Map<WebhookId, Lane>();
  private readonly claims = new Set<Claim>();

  /**
   * @param send resolves to whether the endpoint took it, or to nothing where nothing was sent
   * @param giveBack is handed what waited for one that failed
   * @param freed is called when there is room for more
   */
  constructor(
    private readonly send: (claim: Claim) => Promise<boolean | undefined>,
    private readonly giveBack: (claims: Claim[]) => Promise<void>,
    private readonly freed: () => void,
  ) {}

  add(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.claims.add(claim);
      const lane = this.laneOf(claim);
      lane.isFailing = claim.isFailing;
      lane.waiting.push(claim);
      this.advance(claim.endpointId, lane);
    }
  }

  held(): HeldEndpoint[] {
    return [...this.lanes].map(([endpointId, { workspaceId, isFailing, isFast, sending, waiting }]) => ({
      endpointId,
      workspaceId,
      claims: sending.size + waiting.length,
      isFailing,
      isFast,
    }));
  }

  /** Gives back what waits for the endpoint, or for any. */
  async recall(endpointId?: WebhookId): Promise<void> {
    const lanes = endpointId === undefined ? [...this.lanes.values()] : [this.lanes.get(endpointId)];
    await Promise.all(lanes.filter((lane) => lane !== undefined).map((lane) => this.clear(lane)));
  }

  /** Gives back what waits, and resolves when all that is being sent has ended. What hasn't by then is `leftOver`. */
  async drain(): Promise<void> {
    const sending = [...this.lanes.values()].flatMap((lane) => [...lane.sending]);
    await this.recall();
    await Promise.all(sending);
  }

  leftOver(): Claim[] {
    return [...this.claims];
  }

  private laneOf({ endpointId, workspaceId, isFailing }: Claim): Lane {
    const lane = this.lanes.get(endpointId) ?? {
      ...{ workspaceId, isFailing },
      sending: new Set(),
      waiting: [],
      isFast: false,
    };
    this.lanes.set(endpointId, lane);
    return lane;
  }

  private advance(endpointId: WebhookId, lane: Lane): void {
    while (lane.sending.size < AT_ONCE) {
      const claim = lane.waiting.shift();
      if (!claim) break;
      const sent = this.pass(claim, lane).finally(() => {
        lane.sending.delete(sent);
        this.advance(endpointId, lane);
      });
      lane.sending.add(sent);
    }
    if (lane.sending.size === 0) this.lanes.delete(endpointId);
  }

  private async pass(claim: Claim, lane: Lane): Promise<void> {
    const startedAt = performance.now();
    const succeeded = await this.send(claim);
    this.claims.delete(claim);
    if (succeeded !== undefined) {
      lane.isFast = succeeded && performance.now() - startedAt < FAST_MS;
      lane.isFailing = !succeeded;
    }
    if (lane.isFailing) await this.clear(lane);
    this.freed();
  }

  private async clear(lane: Lane): Promise<void> {
    const claims = lane.waiting.splice(0);
    if (claims.length === 0) return;
    for (const claim of claims) this.claims.delete(claim);
    await this.giveBack(claims);
  }
}
