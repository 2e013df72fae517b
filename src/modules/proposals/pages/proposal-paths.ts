import { NotFound } from '../../../kernel/errors';
import { type LeadId, parseId, type ProposalId } from '../../../kernel/ids';
import type { Path } from '../../../platform/pages/components/link';
import { type Area, settingsPath } from '../../shell';

export function proposalsPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/proposals`);
}

/** The page of a proposal, or one below it. */
export function proposalPath(area: Area, id: ProposalId, page = ''): Path {
  return `${proposalsPath(area)}/${id}${page && `/${page}`}`;
}

/** The form of a new proposal: for a lead, or with the choice of one. */
export function newProposalPath(area: Area, lead?: LeadId): Path {
  return `${proposalsPath(area)}/new${lead ? `?lead=${lead}` : ''}`;
}

/** @throws NotFound for text that can't be a proposal's id */
export function readProposalId(text: string): ProposalId {
  const id = parseId('prop', text);
  if (!id) throw new NotFound('proposal');
  return id;
}
