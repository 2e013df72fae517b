import { SelectField } from '../../../platform/pages/components/select-field';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import {
  CUSTOM_PREFIX,
  DATE_FORMATS,
  DELIMITERS,
  ENCODINGS,
  type ImportOptions,
  type LeadTarget,
  MATCH_BY,
  ON_EMPTY,
  ON_EXISTING,
  ON_MULTIPLE,
} from '../domain/import-options';
import type { CustomField } from '../domain/row-plan';

export const OPTION_LABELS: Record<string, string> = {
  file: 'File',
  matchBy: 'Find existing leads by',
  onExisting: 'Fields of existing leads',
  onMultiple: 'If several leads match',
  onEmpty: 'Empty cells',
  dateFormat: 'Dates',
  encoding: 'Encoding',
  delimiter: 'Delimiter',
};

const TARGET_LABELS: Record<LeadTarget, string> = {
  externalId: 'External ID',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  eventDate: 'Event date',
  guests: 'Guests',
  source: 'Source',
  stage: 'Stage',
  tags: 'Tags',
  ownerId: 'Owner',
  lostReasonId: 'Lost reason',
  lostNote: 'Lost note',
};

/** The fields that columns can be mapped to, and their names for people. */
export function targetLabels(customFields: readonly CustomField[]): Map<string, string> {
  const custom = customFields.map(({ key, label }): Choice => [CUSTOM_PREFIX + key, label]);
  return new Map([...Object.entries(TARGET_LABELS), ...custom]);
}

type Choice = [value: string, label: string];

const WRITING: Record<string, Choice[]> = {
  matchBy: [
    ['none', 'Nothing: every row is a new lead'],
    ['email', 'Email'],
    ['phone', 'Phone'],
    ['externalId', 'External ID'],
  ],
  onExisting: [
    ['overwrite', 'Overwrite'],
    ['fill', 'Fill in empty ones only'],
  ],
  onMultiple: [
    ['refuse', 'Skip the row'],
    ['newest', 'Update the newest'],
  ],
  onEmpty: [
    ['keep', 'Keep the field'],
    ['clear', 'Clear the field'],
  ],
};

const READING: Record<string, Choice[]> = {
  dateFormat: [['', 'Detect'], ...DATE_FORMATS.map((format): Choice => [format, format])],
  encoding: [['', 'Detect'], ...ENCODINGS.map((name): Choice => [name, name])],
  delimiter: [
    ['', 'Detect'],
    [',', 'Comma'],
    [';', 'Semicolon'],
    ['\t', 'Tab'],
    ['|', 'Vertical bar'],
  ],
};

/** What happens to leads that are there already. */
export function WritingFields({ form }: { form: FormInput }) {
  return <Choices form={form} choices={WRITING} />;
}

/** How the file is read. */
export function ReadingFields({ form }: { form: FormInput }) {
  return <Choices form={form} choices={READING} />;
}

function Choices({ form, choices }: { form: FormInput; choices: Record<string, Choice[]> }) {
  return (
    <>
      {Object.entries(choices).map(([name, options]) => (
        <SelectField
          form={form}
          name={name}
          label={OPTION_LABELS[name]!}
          options={options.map(([value, label]) => ({ value, label }))}
        />
      ))}
    </>
  );
}

/** The options of a form; those that it doesn't show are left out. */
export function optionsOf(form: FormInput): Partial<ImportOptions> {
  const options = {
    matchBy: form.text('matchBy', fieldRules.oneOf(MATCH_BY)),
    onExisting: form.text('onExisting', fieldRules.oneOf(ON_EXISTING)),
    onMultiple: form.text('onMultiple', fieldRules.oneOf(ON_MULTIPLE)),
    onEmpty: form.text('onEmpty', fieldRules.oneOf(ON_EMPTY)),
    dateFormat: form.optional('dateFormat', fieldRules.oneOf(DATE_FORMATS)),
    encoding: form.optional('encoding', fieldRules.oneOf(ENCODINGS)),
    delimiter: form.optional('delimiter', fieldRules.oneOf(DELIMITERS)),
  };
  return options as Partial<ImportOptions>;
}

/** What the fields of a form begin with. */
export function valuesOf(options: Partial<ImportOptions>): Record<string, string> {
  const names = [...Object.keys(WRITING), ...Object.keys(READING)] as (keyof ImportOptions)[];
  return Object.fromEntries(names.map((name) => [name, (options[name] as string | null | undefined) ?? '']));
}
