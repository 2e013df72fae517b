import type { WebhookId, WorkspaceId } from '../../../kernel/ids';

/** Deliveries that this process claims in all. */
const CAPACITY = 1000;
/** Of one workspace: many slow endpoints of one customer must not take the places of everybody else. */
export const PER_WORKSPACE = 250;
/** Of one endpoint. A failing one gets a single place instead. */
const PER_ENDPOINT = 50;
/** Of a fast endpoint, whose next deliveries wait in this process already. */
const PER_FAST_ENDPOINT = 150;
/** Of each endpoint, even when slow ones have used up the capacity of its workspace or of the process. */
export const SHARE = 10;

/** An endpoint that this process holds claims of. */
export interface HeldEndpoint {
  readonly endpointId: WebhookId;
  readonly workspaceId: WorkspaceId;
  readonly claims: number;
  readonly isFailing: boolean;
  /** Its last response was fast. */
  readonly isFast: boolean;
}

/** How many deliveries the next claim may take. */
export interface ClaimLimits {
  readonly capacity: number;
  /** Of an endpoint without claims. */
  readonly perEndpoint: number;
  /** Of each endpoint with claims; 0 when it has its share. */
  readonly ofHeld: ReadonlyMap<WebhookId, number>;
  /** Their endpoints without claims get `SHARE`. */
  readonly fullWorkspaces: readonly WorkspaceId[];
}

/** The limits beside what is held; undefined when no endpoint can get its share any more. */
export function claimLimits(held: readonly HeldEndpoint[]): ClaimLimits | undefined {
  const ofWorkspaces = new Map<WorkspaceId, number>();
  for (const { workspaceId, claims } of held) {
    ofWorkspaces.set(workspaceId, (ofWorkspaces.get(workspaceId) ?? 0) + claims);
  }
  const all = held.reduce((sum, { claims }) => sum + claims, 0);
  const isFull = all >= CAPACITY;
  const capacity = (isFull ? 2 * CAPACITY : CAPACITY) - all;
  if (capacity <= 0) return undefined;

  const isWorkspaceFull = (id: WorkspaceId) => isFull || ofWorkspaces.get(id)! >= PER_WORKSPACE;
  const limitOf = ({ workspaceId, isFailing, isFast }: HeldEndpoint) => {
    if (isFailing) return 1;
    if (isWorkspaceFull(workspaceId)) return SHARE;
    return isFast ? PER_FAST_ENDPOINT : PER_ENDPOINT;
  };
  return {
    capacity,
    perEndpoint: isFull ? SHARE : PER_ENDPOINT,
    ofHeld: new Map(
      held.map((each) => [each.endpointId, each.claims < limitOf(each) ? limitOf(each) : 0] as const),
    ),
    fullWorkspaces: [...ofWorkspaces.keys()].filter(isWorkspaceFull),
  };
}
