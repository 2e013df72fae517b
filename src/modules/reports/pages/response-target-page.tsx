import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';

const LABELS = { minutes: 'Minutes until the first response' };

const NOTICES = new Map([
  ['saved', 'Changes saved.'],
  ['copied', 'The sandbox’s target was copied.'],
]);

interface ResponseTargetPageProps {
  area: Area;
  form: FormInput;
  notice?: string;
}

export function ResponseTargetPage({ area, form, notice = '' }: ResponseTargetPageProps) {
  const path = settingsPath(area, `${area.mode}/response-target`);
  return (
    <SettingsPage
      area={area}
      place=":mode/response-target"
      title="Response target"
      intro="How soon new leads should get their first response. Webhooks tell of leads that wait for longer."
      done={NOTICES.get(notice)}
    >
      <Form action={path}>
        <ProblemSummary form={form} labels={LABELS} />
        <TextField
          form={form}
          name="minutes"
          label={LABELS.minutes}
          hint="Leave it empty for no target."
          inputMode="numeric"
          short
        />
        <Button>Save</Button>
      </Form>
      {area.mode === 'live' && (
        <Section title="Copy from sandbox" intro="Replaces this target by the sandbox’s.">
          <Form action={`${path}/copy`} id="copy" label="Copy from sandbox">
            <Button kind="secondary">Copy from sandbox to live</Button>
          </Form>
        </Section>
      )}
    </SettingsPage>
  );
}
