import { FormInput } from '../../../platform/pages/form-input';
import type { LeadView } from '../domain/lead';
import type { LeadFieldView } from '../domain/lead-field';
import { decimalIn, integerIn, OWN_FIELDS } from './lead-fields';

/** What the fields of a lead's form begin with. */
export function valuesOf(
  lead: LeadView,
  fields: readonly LeadFieldView[],
): Record<string, string | string[] | undefined> {
  const own = OWN_FIELDS.map(({ name, text }) => [name, text?.(lead) ?? lead[name]?.toString()] as const);
  const custom = fields.map(({ key, type }) => {
    const value = lead.custom[key] ?? undefined;
    if (type === 'boolean') return [`custom.${key}`, value ? 'yes' : undefined] as const;
    return [`custom.${key}`, Array.isArray(value) ? value : value?.toString()] as const;
  });
  return Object.fromEntries([...own, ...custom]);
}

/**
 * The fields as JSON holds them, to be checked by the API’s rules. Empty ones are null.
 *
 * @param lead of an edited lead, only the fields that the form changes: a form can’t say everything that a lead may hold
 */
export function jsonOf(
  form: FormInput,
  fields: readonly LeadFieldView[],
  lead?: LeadView,
): Record<string, unknown> & { custom?: Record<string, unknown> } {
  const untouched = lead && new FormInput(valuesOf(lead, fields));
  const isSent = (name: string) => {
    return !untouched || textsOf(form, name).join('\0') !== textsOf(untouched, name).join('\0');
  };
  const own = OWN_FIELDS.filter(({ name }) => isSent(name)).map(
    ({ name, json = emptyToNull }) => [name, json(form.value(name))] as const,
  );
  const custom = fields
    .filter(({ key }) => isSent(`custom.${key}`))
    .map((field) => [field.key, customValue(form, field, lead !== undefined)] as const);
  return {
    ...Object.fromEntries(own),
    ...(custom.length > 0 && { custom: Object.fromEntries(custom) }),
  };
}

function textsOf(form: FormInput, name: string): string[] {
  return form.list(name).filter((text) => text !== '');
}

/** A box that isn't ticked means “No” where the lead was “Yes”, or where an answer is required. */
function customValue(form: FormInput, { key, type, isRequired }: LeadFieldView, isEdited: boolean): unknown {
  const name = `custom.${key}`;
  switch (type) {
    case 'boolean':
      return form.isChecked(name) || (isEdited || isRequired ? false : null);
    case 'integer':
      return integerIn(form.value(name));
    case 'decimal':
      return decimalIn(form.value(name));
    case 'multi_select':
      return form.list(name);
    default:
      return emptyToNull(form.value(name));
  }
}

function emptyToNull(text: string): string | null {
  return text || null;
}
