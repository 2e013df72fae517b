import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { dayPath, PLAN_LABELS, PlanFields, type SpaceView } from '../../calendar';
import { type Area, SettingsPage } from '../../shell';

const LABELS = { ...PLAN_LABELS, expiresAt: 'Expiry date', notes: 'Notes' };

interface HoldFormPageProps {
  area: Area;
  day: string;
  form: FormInput;
  spaces: readonly SpaceView[];
}

export function HoldFormPage({ area, day, form, spaces }: HoldFormPageProps) {
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title="Hold a date"
      intro="It gets the next rank in the queue for its spaces and time."
    >
      <Form action={dayPath(area, day, 'hold')}>
        <ProblemSummary form={form} labels={LABELS} />
        <PlanFields form={form} zone={area.workspace.timeZone} spaces={spaces} needsSpace />
        <TextField
          form={form}
          name="expiresAt"
          label={LABELS.expiresAt}
          hint="The hold expires at the end of this day. Blank: as the hold policy says."
          type="date"
        />
        <TextArea form={form} name="notes" label={LABELS.notes} />
        <Actions>
          <Button>Hold</Button>
          <Link to={dayPath(area, day)} class="button secondary">
            Cancel
          </Link>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
