import { Badge } from '../../../platform/pages/components/badge';
import { Button } from '../../../platform/pages/components/button';
import { DataTable } from '../../../platform/pages/components/data-table';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage } from '../../shell';
import { FIELD_TYPES } from '../domain/field-value';
import type { LeadFieldView } from '../domain/lead-field';
import { FIELD_LABELS, FieldRules } from './field-page';
import { fieldsPath, TYPE_NAMES } from './field-paths';
import { RowAction } from './stages-frame';

const NOTICES = new Map([
  ['added', 'The field was added.'],
  ['saved', 'Changes saved.'],
  ['archived', 'The field was archived. Leads keep their values in it.'],
  ['restored', 'The field was restored.'],
  ['copied', 'The fields of the sandbox were copied.'],
]);

/** The forms of the page, of which at most one is shown again with its problems. */
export interface FieldForms {
  readonly add?: FormInput;
  readonly restore?: FormInput;
  readonly copy?: FormInput;
}

interface FieldsPageProps {
  area: Area;
  fields: readonly LeadFieldView[];
  forms?: FieldForms;
  notice?: string;
}

export function FieldsPage({ area, fields, forms = {}, notice = '' }: FieldsPageProps) {
  const active = fields.filter(({ archivedAt }) => !archivedAt);
  const archived = fields.filter(({ archivedAt }) => archivedAt);
  return (
    <SettingsPage
      area={area}
      place=":mode/fields"
      title="Fields"
      intro="Fields of your own on leads, beside name, email and the others."
      done={NOTICES.get(notice)}
    >
      {active.length > 0 && <Fields area={area} fields={active} />}
      <Add area={area} form={forms.add ?? new FormInput({ type: 'text' })} />
      {archived.length > 0 && (
        <Archived area={area} fields={archived} form={forms.restore ?? new FormInput()} />
      )}
      {area.mode === 'live' && <Copy area={area} form={forms.copy ?? new FormInput()} />}
    </SettingsPage>
  );
}

function Fields({ area, fields }: { area: Area; fields: readonly LeadFieldView[] }) {
  return (
    <DataTable
      caption="Fields"
      hideCaption
      rows={fields}
      columns={[
        {
          title: 'Field',
          isHeader: true,
          cell: ({ id, key, label, isRequired }) => (
            <>
              <Link to={fieldsPath(area, `${id}/edit`)}>{label}</Link> {isRequired && <Badge>Required</Badge>}
              <br />
              <span class="quiet">{key}</span>
            </>
          ),
        },
        { title: 'Type', cell: ({ type }) => TYPE_NAMES[type] },
        {
          title: 'Order',
          actions: true,
          cell: ({ id, label }) => (
            <Form action={fieldsPath(area, `${id}/move`)} layout="inline" label={`Move ${label}`}>
              {id !== fields[0]!.id && (
                <Button kind="secondary" name="to" value="up" of={label}>
                  Move up
                </Button>
              )}{' '}
              {id !== fields.at(-1)!.id && (
                <Button kind="secondary" name="to" value="down" of={label}>
                  Move down
                </Button>
              )}
            </Form>
          ),
        },
      ]}
    />
  );
}

function Add({ area, form }: { area: Area; form: FormInput }) {
  return (
    <Section title="Add a field">
      <Form action={fieldsPath(area)} id="add">
        <ProblemSummary form={form} labels={FIELD_LABELS} />
        <TextField form={form} name="label" label={FIELD_LABELS.label} required />
        <TextField
          form={form}
          name="key"
          label={FIELD_LABELS.key}
          hint="Identifies the field in the API, and never changes. Made from the label if you leave it out."
        />
        <SelectField
          form={form}
          name="type"
          label={FIELD_LABELS.type}
          hint="Can’t be changed later."
          options={FIELD_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }))}
        />
        <FieldRules form={form} offersOptions />
        <Button>Add field</Button>
      </Form>
    </Section>
  );
}

function Archived({ area, fields, form }: { area: Area; fields: readonly LeadFieldView[]; form: FormInput }) {
  return (
    <Section
      title="Archived fields"
      intro="Leads keep their values, which show again when a field is restored."
    >
      <ProblemSummary form={form} labels={FIELD_LABELS} />
      <DataTable
        caption="Archived fields"
        hideCaption
        rows={fields}
        columns={[
          { title: 'Field', isHeader: true, cell: ({ label }) => label },
          { title: 'Key', cell: ({ key }) => key },
          {
            title: 'Actions',
            actions: true,
            cell: ({ id, label }) => (
              <RowAction action={fieldsPath(area, `${id}/restore`)} does="Restore" of={label} />
            ),
          },
        ]}
      />
    </Section>
  );
}

function Copy({ area, form }: { area: Area; form: FormInput }) {
  return (
    <Section
      title="Copy from sandbox to live"
      intro="Gives live data the fields of test data, with their labels, options and order. Fields and options that only live data has stay."
    >
      <Form action={fieldsPath(area, 'copy')} id="copy" label="Copy from sandbox to live">
        <ProblemSummary form={form} labels={FIELD_LABELS} />
        <Button kind="secondary">Copy from sandbox to live</Button>
      </Form>
    </Section>
  );
}
