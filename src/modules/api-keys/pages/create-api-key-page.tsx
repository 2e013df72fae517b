import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';

/** In days. */
export const LIFETIMES = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

/** In seconds. */
export const GRACE_PERIODS = [
  { value: '0', label: 'Immediately', lasts: undefined },
  { value: '3600', label: 'In 1 hour', lasts: '1 hour' },
  { value: '86400', label: 'In 24 hours', lasts: '24 hours' },
  { value: '604800', label: 'In 7 days', lasts: '7 days' },
];

const LABELS = {
  name: 'Name',
  scopes: 'Permissions',
  lifetime: 'Expiry',
  expiresAt: 'Expiry',
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
      intro={area.mode === 'test' ? 'It works with sandbox data only.' : 'It works with real data.'}
    >
      <Form action={path}>
        <ProblemSummary form={form} labels={LABELS} />
        <TextField
          form={form}
          name="name"
          label={LABELS.name}
          hint="What will use it, such as “Website form”."
          required
          autoFocus
        />
        <CheckboxGroup
          form={form}
          name="scopes"
          label={LABELS.scopes}
          hint="Grant only what it needs. Permissions can’t be changed later."
          items={scopes.map(([value, label]) => ({ value, label, hint: value }))}
        />
        <SelectField
          form={form}
          name="lifetime"
          label={LABELS.lifetime}
          options={[{ value: '', label: 'Never' }, ...LIFETIMES]}
        />
        <Actions>
          <Button>Create the key</Button>
          <ButtonLink to={path} kind="secondary">
            Back to API keys
          </ButtonLink>
        </Actions>
      </Form>
    </SettingsPage>
  );
}
