import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area } from '../../shell';
import type { LostReasonView } from '../domain/lost-reason';
import type { StageView } from '../domain/pipeline-stage';
import { type Automations, OUTCOMES, STAGE_ROLES, type StageRole } from '../domain/stage';
import { LostReasons } from './lost-reasons-section';
import { OUTCOME_NAMES, stagesPath } from './stage-paths';
import { RowAction, StagesFrame } from './stages-frame';

const NOTICES = new Map([
  ['added', 'The stage was added.'],
  ['saved', 'Changes saved.'],
  ['reordered', 'The order was saved.'],
  ['archived', 'The stage was archived. Its leads are moving.'],
  ['restored', 'The stage was restored.'],
  ['copied', 'The stages and lost reasons of the sandbox were copied.'],
  ['reason-added', 'The lost reason was added.'],
  ['reason-saved', 'The lost reason was renamed.'],
  ['reason-archived', 'The lost reason was archived.'],
  ['reason-restored', 'The lost reason was restored.'],
]);

/** The forms of the page, of which at most one is shown again with its problems. */
export interface StageForms {
  readonly add?: FormInput;
  readonly order?: FormInput;
  readonly automations?: FormInput;
  readonly copy?: FormInput;
  readonly reason?: FormInput;
}

export interface StagesPageProps {
  area: Area;
  stages: readonly StageView[];
  automations: Automations;
  reasons: readonly LostReasonView[];
  forms?: StageForms;
  notice?: string;
}

export function StagesPage({ area, stages, automations, reasons, forms = {}, notice = '' }: StagesPageProps) {
  const active = stages.filter(({ archivedAt }) => !archivedAt);
  const archived = stages.filter(({ archivedAt }) => archivedAt);
  return (
    <StagesFrame
      area={area}
      title="Stages"
      intro="The stages that your leads go through, in their order."
      done={NOTICES.get(notice)}
    >
      <Order area={area} stages={active} form={forms.order} />
      <Add area={area} form={forms.add ?? new FormInput({ outcome: 'open' })} />
      {archived.length > 0 && <Archived area={area} stages={archived} />}
      <AutomationForm
        area={area}
        stages={active}
        form={forms.automations ?? new FormInput({ ...automations })}
      />
      <LostReasons area={area} reasons={reasons} form={forms.reason ?? new FormInput()} />
      {area.mode === 'live' && <Copy area={area} form={forms.copy ?? new FormInput()} />}
    </StagesFrame>
  );
}

/** Each button moves one stage. With the script, rows can be dragged, and the form sends the order that they have then. */
function Order({
  area,
  stages,
  form = new FormInput(),
}: {
  area: Area;
  stages: StageView[];
  form?: FormInput;
}) {
  return (
    <Form action={stagesPath(area, 'order')} id="order" label="Order of the stages">
      <ProblemSummary form={form} labels={{}} />
      <DataTable
        caption="Stages"
        hideCaption
        rows={stages}
        columns={[
          {
            title: 'Stage',
            isHeader: true,
            cell: ({ key, name, isHidden }) => (
              <>
                <input type="hidden" name="keys" value={key} data-sorts />
                <Link to={stagesPath(area, `${key}/edit`)}>{name}</Link> {isHidden && <Badge>Hidden</Badge>}
                <br />
                <span class="quiet">{key}</span>
              </>
            ),
          },
          { title: 'Outcome', cell: ({ outcome }) => OUTCOME_NAMES[outcome] },
          { title: 'Leads', numeric: true, cell: ({ leads }) => leads },
          {
            title: 'Order',
            actions: true,
            cell: ({ key, name }) => (
              <>
                {key !== stages[0]!.key && (
                  <Button kind="secondary" name="up" value={key} of={name}>
                    Move up
                  </Button>
                )}{' '}
                {key !== stages.at(-1)!.key && (
                  <Button kind="secondary" name="down" value={key} of={name}>
                    Move down
                  </Button>
                )}
              </>
            ),
          },
        ]}
      />
    </Form>
  );
}

const ADD_LABELS = { name: 'Name', key: 'Key', outcome: 'Outcome' };

function Add({ area, form }: { area: Area; form: FormInput }) {
  return (
    <Section title="Add a stage">
      <Form action={stagesPath(area)} id="add">
        <ProblemSummary form={form} labels={ADD_LABELS} />
        <TextField form={form} name="name" label={ADD_LABELS.name} required />
        <TextField
          form={form}
          name="key"
          label={ADD_LABELS.key}
          hint="Identifies the stage in the API, and never changes. Made from the name if you leave it out."
        />
        <SelectField
          form={form}
          name="outcome"
          label={ADD_LABELS.outcome}
          hint="Can’t be changed once a lead has been at the stage."
          options={OUTCOMES.map((value) => ({ value, label: OUTCOME_NAMES[value] }))}
        />
        <Button>Add stage</Button>
      </Form>
    </Section>
  );
}

function Archived({ area, stages }: { area: Area; stages: StageView[] }) {
  return (
    <Section title="Archived stages">
      <DataTable
        caption="Archived stages"
        hideCaption
        rows={stages}
        columns={[
          { title: 'Stage', isHeader: true, cell: ({ name }) => name },
          {
            title: 'Leads',
            cell: ({ leads, moving }) =>
              moving
                ? `${moving.left} left to move to ${stages.find(({ key }) => key === moving.to)?.name ?? moving.to}`
                : leads,
          },
          {
            title: 'Actions',
            actions: true,
            cell: ({ key, name }) => (
              <RowAction action={stagesPath(area, `${key}/restore`)} does="Restore" of={name} />
            ),
          },
        ]}
      />
    </Section>
  );
}

const FACTS: Readonly<Record<StageRole, string>> = {
  visitBooked: 'When a visit is booked',
  proposalSent: 'When a proposal is sent',
  proposalAccepted: 'When a proposal is accepted',
};

function AutomationForm({ area, stages, form }: { area: Area; stages: StageView[]; form: FormInput }) {
  const options = stages
    .filter(({ outcome }) => outcome !== 'lost')
    .map(({ key, name }) => ({ value: key, label: name }));
  return (
    <Section
      title="Automations"
      intro="Leads move to these stages by themselves, forward only and whatever the rules of a stage."
    >
      <Form action={stagesPath(area, 'automations')} id="automations">
        <ProblemSummary form={form} labels={FACTS} />
        {STAGE_ROLES.map((role) => (
          <SelectField form={form} name={role} label={FACTS[role]} options={options} />
        ))}
        <Button>Save automations</Button>
      </Form>
    </Section>
  );
}

function Copy({ area, form }: { area: Area; form: FormInput }) {
  return (
    <Section
      title="Copy from sandbox to live"
      intro="Gives live data the stages, their order, the automations and the lost reasons of test data. Stages that only live data has stay."
    >
      <Form action={stagesPath(area, 'copy')} id="copy" label="Copy from sandbox to live">
        <ProblemSummary form={form} labels={{}} />
        <Button kind="secondary">Copy from sandbox to live</Button>
      </Form>
    </Section>
  );
}
