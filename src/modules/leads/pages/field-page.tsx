import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, Section } from '../../../platform/pages/components/section';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import { hasOptions } from '../domain/field-value';
import type { LeadFieldView } from '../domain/lead-field';
import { fieldsPath, TYPE_NAMES } from './field-paths';

export const FIELD_LABELS = {
  label: 'Label',
  key: 'Key',
  type: 'Type',
  description: 'Description',
  options: 'Options',
  isRequired: 'Required for new leads',
};

/** The form that changes a custom field. */
export function FieldPage({ area, field, form }: { area: Area; field: LeadFieldView; form: FormInput }) {
  return (
    <SettingsPage
      area={area}
      place=":mode/fields"
      title={field.label}
      intro={`${TYPE_NAMES[field.type]}. Key in the API: ${field.key}`}
    >
      <Form action={fieldsPath(area, `${field.id}/edit`)}>
        <ProblemSummary form={form} labels={FIELD_LABELS} />
        <TextField form={form} name="label" label={FIELD_LABELS.label} required />
        <FieldRules form={form} offersOptions={hasOptions(field.type)} />
        <Actions>
          <Button>Save</Button>
          <ButtonLink to={fieldsPath(area)} kind="secondary">
            Back to fields
          </ButtonLink>
        </Actions>
      </Form>
      <Section
        title="Archive"
        intro="Leads no longer show their values in this field, and keep them. The field can be restored later."
        danger
      >
        <Form action={fieldsPath(area, `${field.id}/archive`)} id="archive">
          <Button kind="danger" of={field.label}>
            Archive
          </Button>
        </Form>
      </Section>
    </SettingsPage>
  );
}

/** The fields of a form that a custom field has whatever it was made as. */
export function FieldRules({ form, offersOptions }: { form: FormInput; offersOptions: boolean }) {
  return (
    <>
      <TextField form={form} name="description" label={FIELD_LABELS.description} />
      {offersOptions && (
        <TextArea
          form={form}
          name="options"
          label={FIELD_LABELS.options}
          hint="For a field with options. One on each line: its label, or “value = label” where the API uses another value. Options whose line you remove are archived; leads that have them keep them."
        />
      )}
      <CheckboxField
        form={form}
        name="isRequired"
        label={FIELD_LABELS.isRequired}
        hint="Existing leads needn’t have a value, nor leads that a chat message creates."
      />
    </>
  );
}
