import { Injectable } from '@nestjs/common';
import type { PageRequest } from '../../../kernel/page';
import { ButtonLink } from '../../../platform/pages/components/button';
import { Link } from '../../../platform/pages/components/link';
import { Section } from '../../../platform/pages/components/section';
import type { LeadPanel, PanelRequest } from '../../leads';
import { refOf } from '../../shell';
import { type ListedProposal, ProposalQueries, type StaffSortField } from '../application/proposal-queries';
import { formatMoney } from './money-format';
import { newProposalPath, proposalPath, proposalsPath } from './proposal-paths';
import { StatusBadge } from './status-badge';

const NEWEST: PageRequest<StaffSortField> = {
  page: 1,
  limit: 10,
  sort: { field: 'createdAt', descending: true },
  fingerprint: '',
};

/** The newest proposals to a lead, on its page. */
@Injectable()
export class ProposalsPanel implements LeadPanel {
  readonly name = 'proposals';
  readonly place = 'side';
  readonly position = 10;

  constructor(private readonly queries: ProposalQueries) {}

  async content({ area, lead }: PanelRequest) {
    const filter = { leadId: lead.id, words: [] };
    const { data, pagination } = await this.queries.listForStaff(refOf(area), filter, NEWEST);
    return <ProposalSection area={area} lead={lead} proposals={data} hasMore={pagination.hasNext} />;
  }
}

interface ProposalSectionProps extends Pick<PanelRequest, 'area' | 'lead'> {
  proposals: readonly ListedProposal[];
  hasMore: boolean;
}

function ProposalSection({ area, lead, proposals, hasMore }: ProposalSectionProps) {
  return (
    <Section title="Proposals">
      {proposals.length === 0 && <p class="quiet">No proposals yet.</p>}
      <ul class="plain-list">
        {proposals.map(({ id, number, version, title, status, total, currency }) => (
          <li>
            <Link to={proposalPath(area, id)}>
              {number}
              {version > 1 && ` (version ${version})`} · <bdi>{title}</bdi>
            </Link>
            <div>
              <StatusBadge status={status} /> {formatMoney(total, currency, area.workspace.locale)}
            </div>
          </li>
        ))}
      </ul>
      {hasMore && <Link to={`${proposalsPath(area)}?lead=${lead.id}`}>All proposals</Link>}
      {!lead.archivedAt && (
        <p>
          <ButtonLink kind="secondary" to={newProposalPath(area, lead.id)}>
            New proposal
          </ButtonLink>
        </p>
      )}
    </Section>
  );
}
