import { DataTable } from '../../../platform/pages/components/data-table';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { EmptyState } from '../../../platform/pages/components/section';
import { Time } from '../../../platform/pages/components/time';
import { type Area, SettingsPage } from '../../shell';
import type { CountedLead } from '../application/report-reader';
import type { Days } from './figures-period';
import { figuresPath } from './figures-page';

interface CountedLeadsPageProps {
  area: Area;
  days: Days;
  /** Whether they were lost in the period, not created. */
  areLost: boolean;
  leads: readonly CountedLead[];
  stageNames: ReadonlyMap<string, string>;
  older: Path | undefined;
}

/** The leads that a bar of the figures counts. */
export function CountedLeadsPage({ area, days, areLost, leads, stageNames, older }: CountedLeadsPageProps) {
  const { timeZone } = area.workspace;
  return (
    <SettingsPage
      area={area}
      place=":mode/figures"
      title="Counted leads"
      intro={
        <>
          {areLost ? 'Lost' : 'Created'} from {days.from} to {days.to}.{' '}
          <Link to={`${figuresPath(area)}?from=${days.from}&to=${days.to}`}>Back to the figures</Link>
        </>
      }
    >
      {leads.length === 0 ? (
        <EmptyState title="No leads" />
      ) : (
        <DataTable
          caption="Leads"
          hideCaption
          rows={leads}
          columns={[
            { title: 'Lead', isHeader: true, cell: ({ name, email }) => name ?? email },
            { title: 'Email', cell: ({ email }) => email },
            { title: 'Source', cell: ({ source }) => source ?? 'None' },
            { title: 'Stage', cell: ({ stage }) => stageNames.get(stage) ?? stage },
            {
              title: areLost ? 'Lost' : 'Created',
              cell: ({ createdAt, lostAt }) => <Time at={areLost ? lostAt : createdAt} zone={timeZone} />,
            },
          ]}
        />
      )}
      <Pagination older={older} />
    </SettingsPage>
  );
}
