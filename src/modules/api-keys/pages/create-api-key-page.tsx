import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, ModeTabs, SettingsPage, settingsPath } from '../../shell';

/** In days. */
export const LIFETIMES = [
  { value: '7', label: 'After a week' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
];

/** In seconds. */
export const GRACE_PERIODS = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'After an hour' },
  { value: '86400', label: 'After a day' },
  { value: '604800', label: 'After a week' },
];

const LABELS = {
  name: 'Name',
  scopes: 'What it may do',
  lifetime: 'When it ends',
  expiresAt: 'When it ends',
};

interface CreateApiKeyPageProps {
  area: Area;
  form: FormInput;
  scopes: readonly (readonly [scope: string, words: string])[];
}

export function CreateApiKeyPage({ area, form, scopes }: CreateApiKeyPageProps) {
  const path = settingsPath(area, `${area.mode}/api-keys`);
  return (
    <SettingsPage
      area={area}
      place=":mode/api-keys"
      title={`Create a ${area.mode} key`}
      intro={area.mode === 'test' ? 'It works on sandbox data alone.' : 'It works on real data.'}
    >
      <ModeTabs area={area} page="api-keys/new" />
      <Form action={path}>
        <ProblemSummary form={form} labels={LABELS} />
        <TextField
          form={form}
          name="name"
          label={LABELS.name}
          hint="So that you know later what uses it, such as “Website form”."
          required
          autoFocus
        />
        <CheckboxGroup
          form={form}
          name="scopes"
          label={LABELS.scopes}
          hint="As little as it needs. It can’t be changed later: make another key then."
          items={scopes.map(([value, label]) => ({ value, label, hint: value }))}
        />
        <SelectField
          form={form}
          name="lifetime"
          label={LABELS.lifetime}
          options={[{ value: '', label: 'Never, until it is revoked' }, ...LIFETIMES]}
        />
        <Actions>
          <Button>Create the key</Button>
          <ButtonLink to={path} kind="secondary">
            Back to the keys
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
