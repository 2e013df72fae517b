import type { FormInput } from '../../../platform/pages/form-input';
import type { LeadView } from '../domain/lead';
import type { LeadFieldView } from '../domain/lead-field';
import { numberIn, OWN_FIELDS } from './lead-fields';

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

/** The same fields as JSON holds them, to be checked by the API’s rules. Empty ones are null. */
export function jsonOf(
  form: FormInput,
  fields: readonly LeadFieldView[],
): Record<string, unknown> & { custom?: Record<string, unknown> } {
  const own = OWN_FIELDS.map(({ name, json = emptyToNull }) => [name, json(form.value(name))] as const);
  const custom = fields.map((field) => [field.key, customValue(form, field)] as const);
  return {
    ...Object.fromEntries(own),
    ...(fields.length > 0 && { custom: Object.fromEntries(custom) }),
  };
}

function customValue(form: FormInput, { key, type }: LeadFieldView): unknown {
  const name = `custom.${key}`;
  switch (type) {
    case 'boolean':
      return form.isChecked(name) || null;
    case 'integer':
    case 'decimal':
      return numberIn(form.value(name));
    case 'multi_select':
      return form.list(name);
    default:
      return emptyToNull(form.value(name));
  }
}

function emptyToNull(text: string): string | null {
  return text || null;
}
