import type { WebhookId } from '../../../kernel/ids';
import type { Claim } from './delivery-queue';

/** Attempts at once for one endpoint: what a receiver can be expected to take. */
const AT_ONCE = 50;

interface Lane {
  readonly sending: Set<Promise<void>>;
  waiting: Claim[];
}

/**
 * What this instance has claimed, endpoint by endpoint: some is being sent, and the next waits here already. So an endpoint
 * that answers fast needn't pause for each claim, which takes long when the database is busy.
 */
export class DeliveryLanes {
  private readonly lanes = new Map<WebhookId, Lane>();
  private readonly claims = new Set<Claim>();

  /**
   * @param send resolves to whether the endpoint took it
   * @param giveBack is handed what waited for one that failed
   * @param freed is called when there is room for more
   */
  constructor(
    private readonly send: (claim: Claim) => Promise<boolean>,
    private readonly giveBack: (claims: Claim[]) => Promise<void>,
    private readonly freed: () => void,
  ) {}

  get size(): number {
    return this.claims.size;
  }

  add(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.claims.add(claim);
      let lane = this.lanes.get(claim.endpointId);
      if (!lane) this.lanes.set(claim.endpointId, (lane = { sending: new Set(), waiting: [] }));
      lane.waiting.push(claim);
      this.advance(claim.endpointId, lane);
    }
  }

  /** The endpoints, or the workspaces, with so many claims or more. */
  busy<Key>(
    limit: number,
    keyOf: (claim: Claim) => Key,
    weightOf: (claim: Claim) => number = () => 1,
  ): Key[] {
    const weights = new Map<Key, number>();
    for (const claim of this.claims) {
      const key = keyOf(claim);
      weights.set(key, (weights.get(key) ?? 0) + weightOf(claim));
    }
    return [...weights].filter(([, weight]) => weight >= limit).map(([key]) => key);
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
    const succeeded = await this.send(claim);
    this.claims.delete(claim);
    if (!succeeded) await this.clear(lane);
    this.freed();
  }

  private async clear(lane: Lane): Promise<void> {
    const claims = lane.waiting.splice(0);
    if (claims.length === 0) return;
    for (const claim of claims) this.claims.delete(claim);
    await this.giveBack(claims);
  }
}
