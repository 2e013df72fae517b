import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Pagination, Tabs } from '../../../platform/pages/components/navigation';
import { Actions, EmptyState } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import { Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import { leadPath } from '../../leads';
import { type Area, SettingsPage } from '../../shell';
import { type ListedProposal, MOST_SEARCHED, type StatusTotal } from '../application/proposal-queries';
import { type ProposalStatus, STATUSES } from '../domain/proposal';
import { Expiry } from './expiry';
import { formatMoney } from './money-format';
import { type AskedList, exportPath, isNarrowed, listPath, sortLink } from './proposal-list';
import { newProposalPath, proposalPath, proposalsPath } from './proposal-paths';
import { StatusBadge, statusName } from './status-badge';

const NOTICES = new Map([['archived', 'The proposal was archived.']]);

interface ProposalsPageProps {
  area: Area;
  asked: AskedList;
  totals: readonly StatusTotal[];
  proposals: readonly ListedProposal[];
  nextCursor: string | null;
  /** The current day in the workspace's time zone. */
  today: string;
  notice: string;
}

export function ProposalsPage(props: ProposalsPageProps) {
  const { area, asked, totals, proposals, nextCursor, notice } = props;
  const { status } = asked;
  const pathOf = (of?: ProposalStatus) => listPath(area, { ...asked, status: of });
  const tabs = STATUSES.map((of) => ({ to: pathOf(of), label: `${statusName(of)} ${countOf(totals, of)}` }));
  return (
    <SettingsPage
      area={area}
      place=":mode/proposals"
      title="Proposals"
      intro="Offers to your leads, from draft to answer."
      actions={<ButtonLink to={newProposalPath(area)}>New proposal</ButtonLink>}
      done={NOTICES.get(notice)}
    >
      <Tabs label="Status" items={[{ to: pathOf(), label: 'All' }, ...tabs]} current={pathOf(status)} />
      <Search {...props} />
      <Total {...props} />
      {proposals.length === 0 ? <NoProposals {...props} /> : <ProposalTable {...props} />}
      <Pagination older={nextCursor ? listPath(area, asked, { cursor: nextCursor }) : undefined} />
      {proposals.length > 0 && (
        <Actions>
          <ButtonLink kind="secondary" to={exportPath(area, asked)}>
            {isNarrowed(asked) ? 'Export these as CSV' : 'Export as CSV'}
          </ButtonLink>
        </Actions>
      )}
    </SettingsPage>
  );
}

function Search({ area, asked, totals }: ProposalsPageProps) {
  const kept = new URL(listPath(area, asked, { q: '' }), 'http://gala').searchParams;
  const all = totals.reduce((sum, { count }) => sum + count, 0);
  return (
    <Form action={proposalsPath(area)} method="get" layout="inline" label="Search proposals">
      {[...kept].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <TextField
        form={new FormInput({ q: asked.q })}
        name="q"
        type="search"
        label="Number, title or client"
        hint={all > MOST_SEARCHED && `Looks through the newest ${MOST_SEARCHED.toLocaleString('en')}.`}
      />
      <Button kind="secondary">Search</Button>
      {(asked.q || asked.leadId !== undefined) && (
        <Link to={listPath(area, asked, { q: '', leadId: undefined })}>Show all</Link>
      )}
    </Form>
  );
}

/** Of a status as a whole: a search doesn't narrow it. */
function Total({ area, asked, totals }: ProposalsPageProps) {
  const shown = totals.filter(({ status }) => status === asked.status);
  if (shown.length === 0 || asked.q || asked.leadId !== undefined) return null;
  const texts = shown.map(({ total, currency }) => formatMoney(total, currency, area.workspace.locale));
  return (
    <p>
      Total: <strong>{texts.join(', ')}</strong>
    </p>
  );
}

function NoProposals({ area, asked }: ProposalsPageProps) {
  if (asked.q) {
    return <EmptyState title="No proposals found">Try fewer words, or another status.</EmptyState>;
  }
  return (
    <EmptyState
      title={asked.status ? `No ${asked.status} proposals` : 'No proposals yet'}
      action={<ButtonLink to={newProposalPath(area)}>New proposal</ButtonLink>}
    >
      Write an offer to a lead, and send the link to its page.
    </EmptyState>
  );
}

function ProposalTable({ area, asked, proposals, today }: ProposalsPageProps) {
  const { timeZone, locale } = area.workspace;
  const sort = (field: Parameters<typeof sortLink>[2]) => sortLink(area, asked, field);
  return (
    <DataTable<ListedProposal>
      caption="Proposals"
      hideCaption
      dense
      rows={proposals}
      columns={[
        {
          title: 'Client',
          isHeader: true,
          cell: ({ leadId, client }) => (
            <Link to={leadPath(area, leadId)} class="one-line">
              <bdi>{client.name ?? client.email}</bdi>
            </Link>
          ),
        },
        {
          title: 'Proposal',
          sort: sort('createdAt'),
          cell: ({ id, number, version, title }) => (
            <Link to={proposalPath(area, id)} class="one-line">
              {number}
              {version > 1 && ` (version ${version})`} · <bdi>{title}</bdi>
            </Link>
          ),
        },
        { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        {
          title: 'Total',
          numeric: true,
          sort: sort('total'),
          cell: ({ total, currency }) => formatMoney(total, currency, locale),
        },
        {
          title: 'Sent',
          sort: sort('sentAt'),
          cell: ({ sentAt }) => (
            <span class="nowrap">
              <Time at={sentAt} zone={timeZone} none="Not sent" />
            </span>
          ),
        },
        {
          title: 'Viewed',
          sort: sort('viewedAt'),
          cell: ({ viewedAt }) => (
            <span class="nowrap">
              <Time at={viewedAt} zone={timeZone} none="Not viewed" />
            </span>
          ),
        },
        {
          title: 'Expiry',
          sort: sort('validUntil'),
          cell: (proposal) => (
            <span class="nowrap">
              <Expiry proposal={proposal} today={today} />
            </span>
          ),
        },
      ]}
    />
  );
}

function countOf(totals: readonly StatusTotal[], status: ProposalStatus): number {
  return totals.reduce((sum, each) => (each.status === status ? sum + each.count : sum), 0);
}
