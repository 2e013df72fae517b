import { Button } from '../../../platform/pages/components/button';
import { DataTable, type SortLink } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { SelectField } from '../../../platform/pages/components/select-field';
import { Day, Time } from '../../../platform/pages/components/time';
import { FormInput } from '../../../platform/pages/form-input';
import type { LeadSortField } from '../application/lead-queries';
import type { LeadView } from '../domain/lead';
import { leadPath, leadsPath } from './lead-paths';
import type { LeadsPageProps } from './leads-page-props';

type LeadsTableProps = LeadsPageProps & { shown: Extract<LeadsPageProps['shown'], { list: unknown }> };

export function LeadsTable({ area, view, stages, columns, shown }: LeadsTableProps) {
  const base = leadsPath(area);
  const sortBy = (field: LeadSortField): SortLink => {
    const isCurrent = view.sort.field === field;
    const direction = isCurrent ? (view.sort.descending ? 'descending' : 'ascending') : undefined;
    return { to: view.path(base, { sort: direction === 'ascending' ? `-${field}` : field }), direction };
  };
  return (
    <>
      <p class="quiet">
        {shown.total === 1 ? '1 lead' : `${shown.total.toLocaleString(area.workspace.locale)} leads`}
      </p>
      <DataTable
        caption="Leads"
        hideCaption
        dense
        rows={shown.list}
        columns={[
          {
            title: 'Name',
            isHeader: true,
            sort: sortBy('name'),
            cell: (lead) => <Name area={area} lead={lead} />,
          },
          {
            title: 'Stage',
            cell: (lead) => <StageForm area={area} view={view} stages={stages} lead={lead} />,
          },
          {
            title: 'Event date',
            sort: sortBy('eventDate'),
            cell: ({ eventDate }) => <Day on={eventDate} none="–" />,
          },
          { title: 'Guests', numeric: true, cell: ({ guests }) => guests ?? '–' },
          ...columns.map(({ title, numeric, cells }) => ({
            title,
            numeric,
            cell: ({ id }: LeadView) => cells.get(id) ?? '–',
          })),
          {
            title: 'Created',
            sort: sortBy('createdAt'),
            cell: ({ createdAt }) => <Time at={createdAt} zone={area.workspace.timeZone} />,
          },
        ]}
      />
      {(view.hasCursor || shown.nextCursor) && (
        <nav aria-label="Pages" class="pagination">
          {view.hasCursor && (
            <Link to={view.path(base, { cursor: '' })} class="button secondary">
              First page
            </Link>
          )}
          {shown.nextCursor && (
            <Link to={view.path(base, { cursor: shown.nextCursor })} rel="next" class="button secondary">
              Next page<span aria-hidden="true"> →</span>
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

function Name({ area, lead: { id, name, email } }: Pick<LeadsPageProps, 'area'> & { lead: LeadView }) {
  return (
    <div class="two-lines">
      <Link to={leadPath(area, id)}>
        <bdi>{name ?? email}</bdi>
      </Link>
      {name && <span class="quiet">{email}</span>}
    </div>
  );
}

function StageForm({
  area,
  view,
  stages,
  lead,
}: Pick<LeadsPageProps, 'area' | 'view' | 'stages'> & { lead: LeadView }) {
  const own = stages.find(({ key }) => key === lead.stage);
  if (lead.archivedAt) return <>{own?.name ?? lead.stage}</>;
  const offered = stages.filter((stage) => stage === own || !(stage.isHidden || stage.archivedAt));
  const options = offered.map(({ key, name }) => ({ value: key, label: name }));
  return (
    <Form action={`${leadsPath(area)}/move`} id={lead.id} layout="inline">
      <input type="hidden" name="lead" value={lead.id} />
      <input type="hidden" name="from" value={view.query()} />
      <SelectField
        form={new FormInput({ stage: lead.stage })}
        name="stage"
        label={`Stage of ${lead.name ?? lead.email}`}
        hideLabel
        autoSubmit
        options={own ? options : [{ value: lead.stage, label: lead.stage }, ...options]}
      />
      <Button kind="secondary" of={lead.name ?? lead.email}>
        Move
      </Button>
    </Form>
  );
}
