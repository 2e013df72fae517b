import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import type { LostReasonView } from '../domain/lost-reason';
import { lostReasonsPath } from './stage-paths';
import { EditForm, RowAction, StagesFrame } from './stages-frame';

const LABELS = { name: 'Reason' };

/** Archived reasons are listed with the others, to be restored. */
export function LostReasons({
  area,
  reasons,
  form,
}: {
  area: Area;
  reasons: readonly LostReasonView[];
  form: FormInput;
}) {
  return (
    <Section title="Lost reasons" intro="Why leads are lost, to choose from when one is.">
      {reasons.length > 0 && (
        <DataTable
          caption="Lost reasons"
          hideCaption
          rows={reasons}
          columns={[
            {
              title: 'Reason',
              isHeader: true,
              cell: ({ id, name, archivedAt }) =>
                archivedAt ? (
                  <span class="quiet">{name} (archived)</span>
                ) : (
                  <Link to={lostReasonsPath(area, id)}>{name}</Link>
                ),
            },
            {
              title: 'Actions',
              actions: true,
              cell: ({ id, name, archivedAt }) => {
                const action = archivedAt ? 'restore' : 'archive';
                const does = archivedAt ? 'Restore' : 'Archive';
                return <RowAction action={lostReasonsPath(area, `${id}/${action}`)} does={does} of={name} />;
              },
            },
          ]}
        />
      )}
      <Form action={lostReasonsPath(area)} id="reason" label="Add a lost reason">
        <ProblemSummary form={form} labels={LABELS} />
        <TextField form={form} name="name" label="New reason" required />
        <Button>Add reason</Button>
      </Form>
    </Section>
  );
}

export function LostReasonPage({
  area,
  reason,
  form,
}: {
  area: Area;
  reason: LostReasonView;
  form: FormInput;
}) {
  return (
    <StagesFrame area={area} title={`Rename “${reason.name}”`}>
      <EditForm area={area} action={lostReasonsPath(area, reason.id)} form={form} labels={LABELS}>
        <TextField form={form} name="name" label={LABELS.name} required autoFocus />
      </EditForm>
    </StagesFrame>
  );
}
