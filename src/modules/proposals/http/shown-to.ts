import type { Principal } from '../../../kernel/principal';
import type { ProposalView } from '../application/proposal-views';

/** Hides the link from credentials that may only read, because it accepts the proposal. */
/** Hides the link from credentials that may only read, because it accepts the proposal. */
export function shownTo({ credential }: Principal, proposal: ProposalView): ProposalView {
  return credential.scopes.includes('proposals:write') ? proposal : { ...proposal, publicUrl: null };
}
