import { Button } from '../../../platform/pages/components/button';
import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import type { Area } from '../../shell';
import { REQUIRABLE_FIELDS, type StageView } from '../domain/pipeline-stage';
import { isBuiltIn, OUTCOMES } from '../domain/stage';
import { ANY_STAGE, choicesFor } from './stage-form';
import { OUTCOME_NAMES, stagesPath } from './stage-paths';
import { EditForm, StagesFrame } from './stages-frame';

const LABELS = {
  name: 'Name',
  outcome: 'Outcome',
  maxDays: 'Most days at this stage',
  isHidden: 'Hide this stage',
  allowedFrom: 'Leads may come from',
  requiredFields: 'Required fields',
  moveTo: 'Move its leads to',
};

interface StagePageProps {
  area: Area;
  stage: StageView;
  /** The stages that aren't archived. */
  stages: readonly StageView[];
  form: FormInput;
  archiving: FormInput;
}

export function StagePage({ area, stage, stages, form, archiving }: StagePageProps) {
  return (
    <StagesFrame area={area} title={stage.name} intro={`Key in the API: ${stage.key}`}>
      <EditForm area={area} action={stagesPath(area, `${stage.key}/edit`)} form={form} labels={LABELS}>
        <TextField form={form} name="name" label={LABELS.name} required />
        <TextField
          form={form}
          name="maxDays"
          label={LABELS.maxDays}
          hint="1 to 365. For your information: nothing happens afterwards."
          inputMode="numeric"
          short
        />
        <CheckboxField
          form={form}
          name="isHidden"
          label={LABELS.isHidden}
          hint="Pages leave it out where a stage is chosen. Programs can still use it."
        />
        {!isBuiltIn(stage.key) && <Rules stage={stage} stages={stages} form={form} />}
      </EditForm>
      {!isBuiltIn(stage.key) && <Archiving area={area} stage={stage} stages={stages} form={archiving} />}
    </StagesFrame>
  );
}

function Rules({ stage, stages, form }: Pick<StagePageProps, 'stage' | 'stages' | 'form'>) {
  return (
    <>
      <SelectField
        form={form}
        name="outcome"
        label={LABELS.outcome}
        hint="Can’t be changed once a lead has been at the stage."
        options={OUTCOMES.map((value) => ({ value, label: OUTCOME_NAMES[value] }))}
      />
      <CheckboxGroup
        form={form}
        name="allowedFrom"
        label={LABELS.allowedFrom}
        hint="If you choose none, leads can only begin here."
        items={[
          { value: ANY_STAGE, label: 'Any stage' },
          ...choicesFor(stage, stages).map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      <CheckboxGroup
        form={form}
        name="requiredFields"
        label={LABELS.requiredFields}
        hint="Must be filled in when a lead enters the stage."
        items={REQUIRABLE_FIELDS.map((value) => ({ value, label: labelOf(value) }))}
      />
    </>
  );
}

/** `Event date` for `eventDate`. */
function labelOf(field: string): string {
  const words = field.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Archiving({ area, stage, stages, form }: Omit<StagePageProps, 'archiving'>) {
  const leads = stage.leads === 1 ? '1 lead is' : `${stage.leads} leads are`;
  return (
    <Section
      title="Archive"
      intro={
        stage.leads === 0
          ? 'No lead is at this stage. It can be restored later.'
          : `${leads} at this stage, archived ones included. They move in the background. The stage can be restored later.`
      }
      danger
    >
      <Form action={stagesPath(area, `${stage.key}/archive`)} id="archive">
        <ProblemSummary form={form} labels={LABELS} />
        {stage.leads > 0 && (
          <SelectField
            form={form}
            name="moveTo"
            label={LABELS.moveTo}
            options={stages
              .filter(({ key }) => key !== stage.key)
              .map(({ key, name }) => ({ value: key, label: name }))}
          />
        )}
        <Button kind="danger" of={stage.name}>
          Archive
        </Button>
      </Form>
    </Section>
  );
}
