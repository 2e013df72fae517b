import { Button } from '../../../platform/pages/components/button';
import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { CheckboxGroup } from '../../../platform/pages/components/checkbox-group';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import type { LeadFieldView } from '../domain/lead-field';
import { labelsWith, type LeadFormChoices, OWN_FIELDS } from './lead-fields';

interface LeadFormPageProps {
  area: Area;
  title: string;
  form: FormInput;
  choices: LeadFormChoices;
  action: Path;
  /** Where Cancel leads. */
  back: Path;
  /** The entity tag of the lead that the form shows. */
  seen?: string;
  submit: string;
}

export function LeadFormPage({ area, title, form, choices, action, back, seen, submit }: LeadFormPageProps) {
  const { fields } = choices;
  return (
    <SettingsPage area={area} place=":mode/leads" title={title}>
      <Form action={action}>
        {seen && <input type="hidden" name="seen" value={seen} />}
        <ProblemSummary form={form} labels={labelsWith(fields)} />
        {OWN_FIELDS.map(({ name, label, input }) => input({ form, name, label }, choices))}
        {fields.map((field) => (
          <CustomField form={form} field={field} isNew={!seen} />
        ))}
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

function CustomField({ form, field, isNew }: { form: FormInput; field: LeadFieldView; isNew: boolean }) {
  const { key, label, description, type, options } = field;
  // Leads that are older than the rule may stay without a value.
  const isRequired = field.isRequired && isNew;
  const props = { form, name: `custom.${key}`, label, hint: description ?? undefined };
  const offered = options
    .filter(({ value, archived }) => !archived || form.list(props.name).includes(value))
    .map((option) => ({ value: option.value, label: option.label }));
  switch (type) {
    case 'long_text':
      return <TextArea {...props} required={isRequired} />;
    case 'boolean':
      return <CheckboxField {...props} />;
    case 'select':
      return (
        <SelectField
          {...props}
          options={[{ value: '', label: isRequired ? 'Choose…' : 'None' }, ...offered]}
        />
      );
    case 'multi_select':
      return <CheckboxGroup {...props} items={offered} />;
    case 'date':
      return <TextField {...props} type="date" short required={isRequired} />;
    case 'datetime':
      return (
        <TextField {...props} required={isRequired} hint={props.hint ?? 'Such as 2027-06-12T18:00:00Z.'} />
      );
    case 'integer':
    case 'decimal':
      return (
        <TextField
          {...props}
          inputMode={type === 'integer' ? 'numeric' : 'decimal'}
          short
          required={isRequired}
        />
      );
    default:
      return <TextField {...props} required={isRequired} />;
  }
}
