import type { UserId } from '../../../kernel/ids';
import { Button } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import { ASSIGNMENT_POLICIES, type AssignmentPolicy } from '../domain/assignment';

const LABELS = { policy: 'New leads go to', members: 'Members' };

const POLICIES: Record<AssignmentPolicy, string> = {
  none: 'Nobody',
  fixed: 'One member',
  round_robin: 'The chosen members in turn',
};

const NOTICES = new Map([
  ['saved', 'Changes saved.'],
  ['copied', 'The sandbox’s assignment was copied.'],
]);

interface AssignmentPageProps {
  area: Area;
  form: FormInput;
  copying: FormInput;
  members: readonly { userId: UserId; email: string; isPaused: boolean }[];
  notice?: string;
}

export function AssignmentPage({ area, form, copying, members, notice = '' }: AssignmentPageProps) {
  const path = settingsPath(area, `${area.mode}/assignment`);
  return (
    <SettingsPage
      area={area}
      place=":mode/assignment"
      title="Assignment"
      intro="Who gets new leads that come without an owner. Paused members get none."
      done={NOTICES.get(notice)}
    >
      <Form action={path}>
        <ProblemSummary form={form} labels={LABELS} />
        <SelectField
          form={form}
          name="policy"
          label={LABELS.policy}
          options={ASSIGNMENT_POLICIES.map((value) => ({ value, label: POLICIES[value] }))}
        />
        <CheckboxGroup
          form={form}
          name="members"
          label={LABELS.members}
          hint="One for “One member”, any number for taking turns."
          items={members.map(({ userId, email, isPaused }) => ({
            value: userId,
            label: email,
            ...(isPaused && { hint: 'Paused' }),
          }))}
        />
        <Button>Save</Button>
      </Form>
      {area.mode === 'live' && (
        <Section title="Copy from sandbox" intro="Replaces this assignment by the sandbox’s.">
          <Form action={`${path}/copy`} id="copy" label="Copy from sandbox">
            <ProblemSummary form={copying} labels={{}} />
            <Button kind="secondary">Copy from sandbox to live</Button>
          </Form>
        </Section>
      )}
    </SettingsPage>
  );
}
