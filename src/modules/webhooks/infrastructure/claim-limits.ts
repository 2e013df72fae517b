import type { WebhookId, WorkspaceId } from '../../../kernel/ids';

/** What this instance claims in all, to be sent or to wait for it. */
const CAPACITY = 1000;
/** Of that for one workspace: many slow endpoints of one must not take everybody else's places. */
const PER_WORKSPACE = 250;
/** And for one endpoint, as long as it doesn't fail; then it is one. */
const PER_ENDPOINT = 50;
/** One that answers fast has the next at hand as well. */
const PER_FAST_ENDPOINT = 150;
/** So many each endpoint gets, even if slow ones have taken all that there is for its workspace, or for all. */
const SHARE = 10;

/** An endpoint of which something is claimed. */
export interface HeldEndpoint {
  readonly endpointId: WebhookId;
  readonly workspaceId: WorkspaceId;
  readonly claims: number;
  readonly isFailing: boolean;
  /** Its last answer came soon. */
  readonly isFast: boolean;
}

/** How much may be claimed next. */
export interface ClaimLimits {
  readonly capacity: number;
  readonly perWorkspace: number;
  readonly perEndpoint: number;
  readonly perFastEndpoint: number;
  readonly fastEndpoints: readonly WebhookId[];
  /** Of an endpoint of a full workspace. */
  readonly share: number;
  readonly fullWorkspaces: readonly WorkspaceId[];
  /** Those that have all that is theirs. */
  readonly fullEndpoints: readonly WebhookId[];
}

/** What is left to claim beside what is held; nothing when not even shares can be granted any more. */
export function claimLimits(held: readonly HeldEndpoint[]): ClaimLimits | undefined {
  const ofWorkspaces = new Map<WorkspaceId, number>();
  for (const { workspaceId, claims } of held) {
    ofWorkspaces.set(workspaceId, (ofWorkspaces.get(workspaceId) ?? 0) + claims);
  }
  const all = held.reduce((sum, { claims }) => sum + claims, 0);
  const isFull = all >= CAPACITY;
  const capacity = (isFull ? 2 * CAPACITY : CAPACITY) - all;
  if (capacity <= 0) return undefined;

  const isShort = (workspace: WorkspaceId) => isFull || ofWorkspaces.get(workspace)! >= PER_WORKSPACE;
  const limitOf = ({ workspaceId, isFailing, isFast }: HeldEndpoint) => {
    if (isFailing) return 1;
    if (isShort(workspaceId)) return SHARE;
    return isFast ? PER_FAST_ENDPOINT : PER_ENDPOINT;
  };
  return {
    capacity,
    perWorkspace: PER_WORKSPACE,
    perEndpoint: isFull ? SHARE : PER_ENDPOINT,
    perFastEndpoint: isFull ? SHARE : PER_FAST_ENDPOINT,
    fastEndpoints: held.filter(({ isFast }) => isFast).map(({ endpointId }) => endpointId),
    share: SHARE,
    fullWorkspaces: [...ofWorkspaces.keys()].filter(isShort),
    fullEndpoints: held.filter((each) => each.claims >= limitOf(each)).map(({ endpointId }) => endpointId),
  };
}
