import type { FormInput } from '../form-input';

/** Problems are fragments such as “is required”, which follow the label of their field. */
export const problemSentence = (label: string, message: string): string => `${label} ${message}.`;

/** The first problem of a field or of one of its items, such as `scopes[0]`. */
export function problemOf({ problems }: FormInput, name: string): string | undefined {
  return problems.find(({ field }) => isOf(name, field))?.message;
}

export const isOf = (name: string, field: string): boolean => field === name || field.startsWith(`${name}[`);
