import type { FormInput } from '../form-input';

const PREDICATE = /^(is|are|was|must|can|come|has|holds|takes|may|needs?|does|isn|doesn)\b/;

/** Most problems are predicates such as “is required”, which follow the label of their field. Others are said as they are. */
export function problemSentence(label: string, message: string): string {
  const sentence = PREDICATE.test(message)
    ? `${label} ${message}`
    : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The first problem of a field or of one of its items, such as `scopes[0]`. */
export function problemOf({ problems }: FormInput, name: string): string | undefined {
  return problems.find(({ field }) => isOf(name, field))?.message;
}

export const isOf = (name: string, field: string): boolean => field === name || field.startsWith(`${name}[`);
