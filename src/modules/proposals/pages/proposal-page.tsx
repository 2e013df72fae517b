import type { ComponentChildren } from 'preact';
import { Badge } from '../../../platform/pages/components/badge';
import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Secret } from '../../../platform/pages/components/secret';
import { EmptyState, Section } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import { leadPath } from '../../leads';
import { type Area, SettingsPage } from '../../shell';
import { type ListedProposal, MOST_VERSIONS, type ProposalVersion } from '../application/proposal-queries';
import type { ProposalView } from '../application/proposal-views';
import { Expiry } from './expiry';
import { LineTable } from './line-table';
import { formatDay, formatMoney } from './money-format';
import { clientPath } from './page-links';
import { proposalPath } from './proposal-paths';
import { textsFor } from './proposal-texts';
import { Refusal } from './refusal';
import { StatusBadge } from './status-badge';

const NOTICES = new Map([
  ['created', 'The draft was saved. Only your team sees it until you send it.'],
  ['saved', 'Changes saved.'],
  ['sent', 'The proposal was sent: its page is open. Now give the client the link.'],
  ['withdrawn', 'The proposal was withdrawn.'],
  ['restored', 'The proposal was restored.'],
]);

interface ProposalPageProps {
  area: Area;
  proposal: ListedProposal;
  versions: readonly ProposalVersion[];
  /** The current day in the workspace's time zone. */
  today: string;
  /** An action that was refused. */
  form: FormInput;
  notice: string;
}

/** A proposal as the venue's people see it, with what they can do with it. */
export function ProposalPage(props: ProposalPageProps) {
  const { area, proposal, form, notice } = props;
  const { number, version, title, lineItems, notes } = proposal;
  return (
    <SettingsPage
      area={area}
      place=":mode/proposals"
      title={title}
      intro={`Proposal ${number}${version > 1 ? `, version ${version}` : ''}`}
      actions={<Actions {...props} />}
      done={NOTICES.get(notice)}
    >
      <Refusal form={form} />
      {isOpen(proposal) && <Secret name="link" label="Link for the client" value={proposal.publicUrl!} />}
      <Facts {...props} />
      <Answer {...props} />
      <Section title="Lines">
        {lineItems.length === 0 ? (
          <EmptyState title="No lines yet">A proposal needs at least one before it is sent.</EmptyState>
        ) : (
          <LineTable proposal={proposal} locale={area.workspace.locale} texts={textsFor('en').texts} />
        )}
      </Section>
      {notes && (
        <Section title="Notes to the client">
          <p class="pre" dir="auto">
            {notes}
          </p>
        </Section>
      )}
      <Versions {...props} />
    </SettingsPage>
  );
}

/** Whether its client can still answer it. */
export function isOpen({ status, archivedAt }: Pick<ProposalView, 'status' | 'archivedAt'>): boolean {
  return (status === 'sent' || status === 'viewed') && !archivedAt;
}

function Actions({ area, proposal, versions }: ProposalPageProps) {
  const { id, status, archivedAt, revision, version, publicUrl } = proposal;
  if (archivedAt) return <Action area={area} proposal={proposal} action="restore" label="Restore" />;
  const isLatest = versions[0]?.version === version;
  return (
    <>
      {publicUrl && (
        <ButtonLink kind="secondary" to={clientPath(publicUrl)}>
          Preview
        </ButtonLink>
      )}
      {status === 'draft' && (
        <>
          <ButtonLink kind="secondary" to={proposalPath(area, id, 'edit')}>
            Edit
          </ButtonLink>
          <ButtonLink kind="secondary" to={proposalPath(area, id, 'images')}>
            Images
          </ButtonLink>
        </>
      )}
      {status !== 'draft' && status !== 'accepted' && isLatest && (
        <Action area={area} proposal={proposal} action="revise" label="Revise" />
      )}
      {isOpen(proposal) && (
        <ButtonLink kind="secondary" to={proposalPath(area, id, 'withdraw')}>
          Withdraw
        </ButtonLink>
      )}
      <ButtonLink kind="secondary" to={proposalPath(area, id, 'archive')}>
        Archive
      </ButtonLink>
      {status === 'draft' && (
        <ButtonLink kind="secondary" to={proposalPath(area, id, 'preview')}>
          Preview
        </ButtonLink>
      )}
      {status === 'draft' && (
        <Action area={area} proposal={proposal} action="send" label="Send" isPrimary>
          {/* What is sent is what the page shows. */}
          <input type="hidden" name="revision" value={revision} />
        </Action>
      )}
    </>
  );
}

interface ActionProps extends Pick<ProposalPageProps, 'area' | 'proposal'> {
  action: string;
  label: string;
  isPrimary?: boolean;
  children?: ComponentChildren;
}

function Action({ area, proposal, action, label, isPrimary, children }: ActionProps) {
  return (
    <Form action={proposalPath(area, proposal.id, action)} layout="inline" label={label}>
      {children}
      <Button kind={isPrimary ? 'primary' : 'secondary'}>{label}</Button>
    </Form>
  );
}

function Facts({ area, proposal, today }: ProposalPageProps) {
  const { timeZone, locale } = area.workspace;
  const { leadId, client, status, archivedAt, validUntil } = proposal;
  const happened = (
    [
      ['Created', proposal.createdAt],
      ['Sent', proposal.sentAt],
      ['First viewed', proposal.viewedAt],
      ['Accepted', proposal.acceptedAt],
      ['Declined', proposal.declinedAt],
      ['Expired', proposal.expiredAt],
      ['Withdrawn', proposal.withdrawnAt],
      ['Archived', archivedAt],
    ] as const
  ).filter(([, at]) => at);
  return (
    <Section title="Details">
      <DescriptionList
        items={[
          {
            term: 'Client',
            details: (
              <>
                <bdi>
                  <Link to={leadPath(area, leadId)}>{client.name ?? client.email}</Link>
                </bdi>
                {client.name && <span class="quiet"> {client.email}</span>}
              </>
            ),
          },
          {
            term: 'Status',
            details: (
              <>
                <StatusBadge status={status} /> {archivedAt && <Badge>Archived</Badge>}
              </>
            ),
          },
          { term: 'Total', details: formatMoney(proposal.total, proposal.currency, locale) },
          {
            term: 'Valid until',
            details: validUntil ? (
              <>
                {formatDay(validUntil, locale)}{' '}
                {['draft', 'sent', 'viewed', 'expired'].includes(status) && (
                  <span class="quiet">
                    (<Expiry proposal={proposal} today={today} />)
                  </span>
                )}
              </>
            ) : (
              'No expiry'
            ),
          },
          ...happened.map(([term, at]) => ({ term, details: <Time at={at} zone={timeZone} /> })),
        ]}
      />
    </Section>
  );
}

/** The client's answer: evidence of acceptance, or the reason of a decline. */
function Answer({ area, proposal }: ProposalPageProps) {
  const { acceptance, acceptedAt, declinedAt, declineReason } = proposal;
  if (acceptance) {
    return (
      <Section title="Acceptance">
        <DescriptionList
          items={[
            { term: 'Name, as typed', details: <bdi>{acceptance.name}</bdi> },
            { term: 'Time', details: <Time at={acceptedAt} zone={area.workspace.timeZone} seconds /> },
            { term: 'IP address', details: <code>{acceptance.address}</code> },
            { term: 'Browser', details: acceptance.userAgent ?? 'Unknown' },
          ]}
        />
      </Section>
    );
  }
  if (!declinedAt) return null;
  return (
    <Section title="Reason for declining">
      <p class="pre" dir="auto">
        {declineReason ?? 'The client gave no reason.'}
      </p>
    </Section>
  );
}

function Versions({ area, proposal, versions }: ProposalPageProps) {
  if (versions.length < 2) return null;
  return (
    <Section title="Versions" intro={versions.length === MOST_VERSIONS && `The newest ${MOST_VERSIONS}.`}>
      <DataTable<ProposalVersion>
        caption="Versions"
        hideCaption
        rows={versions}
        columns={[
          {
            title: 'Version',
            isHeader: true,
            cell: ({ id, version }) => (
              <Link to={proposalPath(area, id)} current={id === proposal.id}>
                Version {version}
              </Link>
            ),
          },
          {
            title: 'Status',
            cell: ({ status, archivedAt }) => (
              <>
                <StatusBadge status={status} /> {archivedAt && <Badge>Archived</Badge>}
              </>
            ),
          },
          {
            title: 'Total',
            numeric: true,
            cell: ({ total, currency }) => formatMoney(total, currency, area.workspace.locale),
          },
          {
            title: 'Sent',
            cell: ({ sentAt }) => <Time at={sentAt} zone={area.workspace.timeZone} none="Not sent" />,
          },
        ]}
      />
    </Section>
  );
}
