import { Badge } from '../../../platform/pages/components/badge';
import { ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Pagination, Tabs } from '../../../platform/pages/components/navigation';
import { Actions, EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { StatusTotal } from '../application/proposal-queries';
import type { ProposalView } from '../application/proposal-views';
import { type ProposalStatus, STATUSES } from '../domain/proposal';
import { formatDay, formatMoney } from './money-format';

interface ProposalsPageProps {
  area: Area;
  /** Undefined for all. */
  status: ProposalStatus | undefined;
  totals: readonly StatusTotal[];
  proposals: readonly ProposalView[];
  nextCursor: string | null;
}

export function ProposalsPage({ area, status, totals, proposals, nextCursor }: ProposalsPageProps) {
  const { timeZone, locale } = area.workspace;
  const path = settingsPath(area, `${area.mode}/proposals`);
  const pathOf = (of?: ProposalStatus) => (of ? (`${path}?status=${of}` as const) : path);
  const tabs = STATUSES.map((of) => ({ to: pathOf(of), label: `${nameOf(of)} ${countOf(totals, of)}` }));
  const shown = totals.filter((each) => each.status === status);
  const older = nextCursor && (`${pathOf(status)}${status ? '&' : '?'}cursor=${nextCursor}` as const);
  return (
    <SettingsPage
      area={area}
      place=":mode/proposals"
      title="Proposals"
      intro="Follow your proposals to leads here. They are created and sent with the API."
    >
      <Tabs label="Status" items={[{ to: path, label: 'All' }, ...tabs]} current={pathOf(status)} />
      {shown.length > 0 && (
        <p>
          Total:{' '}
          <strong>
            {shown.map(({ total, currency }) => formatMoney(total, currency, locale)).join(', ')}
          </strong>
        </p>
      )}
      {proposals.length === 0 ? (
        <EmptyState title={status ? `No ${status} proposals` : 'No proposals yet'}>
          Create one with <code>POST /v1/proposals</code>, then send it with{' '}
          <code>POST /v1/proposals/…/send</code>.
        </EmptyState>
      ) : (
        <DataTable
          caption="Proposals"
          hideCaption
          rows={proposals}
          columns={[
            { title: 'Proposal', isHeader: true, cell: (proposal) => <Title proposal={proposal} /> },
            {
              title: 'Status',
              cell: (proposal) => <Badge kind={KINDS[proposal.status]}>{nameOf(proposal.status)}</Badge>,
            },
            {
              title: 'Total',
              numeric: true,
              cell: ({ total, currency }) => formatMoney(total, currency, locale),
            },
            { title: 'Sent', cell: ({ sentAt }) => <Time at={sentAt} zone={timeZone} none="Not sent" /> },
            {
              title: 'Valid until',
              cell: ({ validUntil }) => (validUntil ? formatDay(validUntil, locale) : 'No expiry'),
            },
          ]}
        />
      )}
      <Pagination older={older || undefined} />
      {proposals.length > 0 && (
        <Actions>
          <ButtonLink kind="secondary" to={`${path}/export${status ? `?status=${status}` : ''}`}>
            Export as CSV
          </ButtonLink>
        </Actions>
      )}
    </SettingsPage>
  );
}

/** Links to the client's page. Visits by signed-in members don't count as views. */
function Title({ proposal }: { proposal: ProposalView }) {
  const { number, version, title, publicUrl } = proposal;
  const text = `${number}${version > 1 ? ` (version ${version})` : ''} · ${title}`;
  return publicUrl ? <a href={publicUrl}>{text}</a> : <>{text}</>;
}

function countOf(totals: readonly StatusTotal[], status: ProposalStatus): number {
  return totals.reduce((sum, each) => (each.status === status ? sum + each.count : sum), 0);
}

function nameOf(status: ProposalStatus): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}

const KINDS = {
  draft: 'neutral',
  sent: 'info',
  viewed: 'info',
  accepted: 'success',
  declined: 'danger',
  expired: 'warning',
  withdrawn: 'neutral',
} as const;
