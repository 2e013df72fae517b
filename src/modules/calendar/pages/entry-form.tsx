import { Button } from '../../../platform/pages/components/button';
import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import { EVENT_TYPES, type EventType } from '../domain/calendar-event';
import type { SpaceView } from '../domain/space';
import { PlanFields } from './plan-fields';
import { PLAN_LABELS } from './plan-form';

const LABELS = {
  type: 'Type',
  ...PLAN_LABELS,
  overHolds: 'End ranked holds that ask for these spaces',
  location: 'Location',
  description: 'Notes',
};

const TYPE_LABELS: Record<EventType, string> = {
  event: 'Event: takes its spaces',
  visit: 'Visit: a lead looks at the venue',
  hold: 'Hold without a rank: keeps a time in mind for somebody',
  block: 'Block: nothing can take place',
};

interface EntryFormPageProps {
  area: Area;
  title: string;
  form: FormInput;
  zone: string;
  spaces: readonly SpaceView[];
  action: Path;
  /** Where Cancel leads. */
  back: Path;
  /** The entity tag of the entry that the form shows. */
  seen?: string;
  submit: string;
}

export function EntryFormPage(props: EntryFormPageProps) {
  const { area, title, form, zone, spaces, action, back, seen, submit } = props;
  return (
    <SettingsPage area={area} place=":mode/calendar" title={title}>
      <Form action={action}>
        {seen && <input type="hidden" name="seen" value={seen} />}
        <ProblemSummary form={form} labels={LABELS} />
        <SelectField
          form={form}
          name="type"
          label={LABELS.type}
          options={EVENT_TYPES.toSorted(byUse).map((type) => ({ value: type, label: TYPE_LABELS[type] }))}
        />
        <PlanFields form={form} zone={zone} spaces={spaces} />
        {form.isFaulty && <CheckboxField form={form} name="overHolds" label={LABELS.overHolds} />}
        <TextField form={form} name="location" label={LABELS.location} />
        <TextArea form={form} name="description" label={LABELS.description} />
        <Actions>
          <Button>{submit}</Button>
          <Link to={back} class="button secondary">
            Cancel
          </Link>
        </Actions>
      </Form>
    </SettingsPage>
  );
}

const USE = Object.keys(TYPE_LABELS);
function byUse(one: EventType, other: EventType): number {
  return USE.indexOf(one) - USE.indexOf(other);
}
