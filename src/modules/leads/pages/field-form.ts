import { foldText } from '../../../kernel/text';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import { type FieldOption, type FieldType, hasOptions } from '../domain/field-value';
import {
  type LeadFieldFields,
  type LeadFieldView,
  MAX_OPTIONS,
  OPTION_VALUE_PATTERN,
} from '../domain/lead-field';

const MAX_LENGTH = 60;
const OPTION_VALUE = new RegExp(OPTION_VALUE_PATTERN);
/** Between the value of an option and its label; a value has no sign of its own for it. */
const SEPARATOR = ' = ';

/** What the fields of a custom field's form begin with. */
export function valuesOf(field: LeadFieldView): Record<string, string | undefined> {
  const { label, description, isRequired, options } = field;
  return {
    label,
    description: description ?? undefined,
    isRequired: isRequired ? 'yes' : undefined,
    options: options
      .filter(({ archived }) => !archived)
      .map((option) =>
        option.value === option.label ? option.label : option.value + SEPARATOR + option.label,
      )
      .join('\n'),
  };
}

/** @param former the options of the field so far */
export function readField(
  form: FormInput,
  type: FieldType,
  former: readonly FieldOption[] = [],
): Pick<LeadFieldFields, 'label' | 'description' | 'isRequired' | 'options'> {
  return {
    label: form.text('label', fieldRules.text(MAX_LENGTH)),
    description: form.optional('description', fieldRules.text(500)),
    isRequired: form.isChecked('isRequired'),
    options: hasOptions(type) ? readOptions(form, former) : [],
  };
}

/** One line for each option, its label or `value = label`. Former options without a line are archived, and come last. */
function readOptions(form: FormInput, former: readonly FieldOption[]): FieldOption[] {
  const lines = form
    .value('options')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const options = lines.slice(0, MAX_OPTIONS + 1).map((line) => optionOf(line, former));
  const missing = former
    .filter(({ value }) => !options.some((option) => option.value === value))
    .map((option) => ({ ...option, archived: true }));
  form.text('options', () => problemOf(options));
  return [...options, ...missing];
}

function optionOf(line: string, former: readonly FieldOption[]): FieldOption {
  const [first, ...rest] = line.split(SEPARATOR);
  const label = rest.length > 0 ? rest.join(SEPARATOR) : line;
  const value = rest.length > 0 ? first! : label.replace(/[\s;]+/g, ' ').trim();
  const known = former.find((option) => foldText(option.value) === foldText(value));
  return { value: known?.value ?? value, label, archived: false };
}

function problemOf(options: readonly FieldOption[]): string | undefined {
  if (options.length > MAX_OPTIONS) return `must have at most ${MAX_OPTIONS} lines`;
  const wrong = options.find(
    ({ value, label }) => !OPTION_VALUE.test(value) || [value, label].some(fieldRules.text(MAX_LENGTH)),
  );
  if (wrong) {
    return `must have at most ${MAX_LENGTH} characters for each option, and no semicolon in front of “=”: “${wrong.label}”`;
  }
  const values = options.map(({ value }) => foldText(value));
  const twice = options.find(({ value }, index) => values.indexOf(foldText(value)) < index);
  return twice && `must not contain an option twice: “${twice.label}”`;
}
