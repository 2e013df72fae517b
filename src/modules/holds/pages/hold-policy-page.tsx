import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { calendarPath } from '../../calendar';
import { type Area, SettingsPage } from '../../shell';
import { type HoldPolicy, POLICY_BOUNDS } from '../domain/hold-policy';

type PolicyNumber = keyof typeof POLICY_BOUNDS;

const LABELS: Record<keyof HoldPolicy, string> = {
  defaultDays: 'Days until a hold expires',
  maxTotalDays: 'Longest hold in days, with extensions',
  challengeHours: 'Hours to answer a challenge',
  winnerHours: 'Hours to confirm after moving up',
  remindHours: 'Hours between a reminder and the deadline',
  maxRank: 'Longest queue',
  releaseOnLost: 'Release the holds of lost leads',
};

const HINTS: Record<PolicyNumber, string> = {
  defaultDays: 'Used when a hold is placed without an expiry.',
  maxTotalDays: 'Counted from when it was placed.',
  challengeHours: 'Used when a challenge has no deadline.',
  winnerHours: 'For a challenged hold that becomes first, and for the winner of a challenge.',
  remindHours: '0 for no reminders.',
  maxRank: 'The most holds for the same space and time.',
};

export const POLICY_NUMBERS = Object.keys(POLICY_BOUNDS) as PolicyNumber[];

const NOTICES = new Map([
  ['saved', 'Changes saved.'],
  ['copied', 'The sandbox’s hold policy was copied.'],
]);

interface HoldPolicyPageProps {
  area: Area;
  form: FormInput;
  copying: FormInput;
  notice?: string;
}

export function HoldPolicyPage({ area, form, copying, notice = '' }: HoldPolicyPageProps) {
  const path = calendarPath(area, 'hold-policy');
  return (
    <SettingsPage
      area={area}
      place=":mode/calendar"
      title="Hold policy"
      intro="Rules for new holds, challenges and extensions. Existing holds keep their deadlines."
      done={NOTICES.get(notice)}
    >
      <Form action={path}>
        <ProblemSummary form={form} labels={LABELS} />
        {POLICY_NUMBERS.map((name) => (
          <TextField
            form={form}
            name={name}
            label={LABELS[name]}
            hint={`${POLICY_BOUNDS[name].join(' to ')}. ${HINTS[name]}`}
            inputMode="numeric"
            short
            required
          />
        ))}
        <CheckboxField form={form} name="releaseOnLost" label={LABELS.releaseOnLost} />
        <Actions>
          <Button>Save</Button>
          <ButtonLink to={calendarPath(area)} kind="secondary">
            Back to the calendar
          </ButtonLink>
        </Actions>
      </Form>
      {area.mode === 'live' && (
        <Section title="Copy from sandbox" intro="Replaces this policy with the sandbox’s.">
          <Form action={`${path}/copy`} id="copy" label="Copy from sandbox">
            <ProblemSummary form={copying} labels={{}} />
            <Button kind="secondary">Copy from sandbox to live</Button>
          </Form>
        </Section>
      )}
    </SettingsPage>
  );
}
