import type { ValidationError } from 'class-validator';
import type { FieldProblem } from '../../kernel/errors';
import { textProblem } from '../../kernel/text';

/** More than any request needs. */
export const MAX_DEPTH = 16;

/**
 * What is wrong with a decoded body or query whatever its fields mean: text that can't be stored, names that reach
 * into Object.prototype (which later steps could take for their own), nesting that no request needs.
 */
export function structuralProblems(input: object): FieldProblem[] {
  const problems: FieldProblem[] = [];
  visit(input, '', 0, problems);
  return problems;
}

function visit(value: unknown, path: string, depth: number, problems: FieldProblem[]): void {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    if (problem) problems.push({ field: path, message: problem });
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) {
      problems.push({ field: path, message: `must not be nested deeper than ${MAX_DEPTH} levels` });
      return;
    }
    if (Array.isArray(value)) visitItems(value, path, depth, problems);
    else visitFields(value, path, depth, problems);
  }
}

/** An array of plain values is named as a whole, an array of objects by the item. */
function visitItems(items: unknown[], path: string, depth: number, problems: FieldProblem[]): void {
  items.forEach((item, index) => {
    const itemPath = typeof item === 'object' ? `${path}[${index}]` : path;
    visit(item, itemPath, depth + 1, problems);
  });
}

function visitFields(fields: object, path: string, depth: number, problems: FieldProblem[]): void {
  for (const [name, value] of Object.entries(fields)) {
    const fieldPath = path ? `${path}.${name}` : name;
    if (name in Object.prototype || name === '') problems.push(unknownField(fieldPath || '""'));
    else visit(value, fieldPath, depth + 1, problems);
  }
}

export function unknownField(field: string): FieldProblem {
  return { field, message: 'is not a known field here' };
}

/** Flattens class-validator's findings to one problem a field. */
export function validationProblems(errors: ValidationError[], parent = ''): FieldProblem[] {
  return errors.flatMap((error) => {
    const isIndex = /^\d+$/.test(error.property);
    const field = isIndex
      ? `${parent}[${error.property}]`
      : parent
        ? `${parent}.${error.property}`
        : error.property;
    if (error.constraints?.whitelistValidation) return [unknownField(field)];
    const [message] = Object.values(error.constraints ?? {});
    return [
      ...(message === undefined ? [] : [{ field, message }]),
      ...validationProblems(error.children ?? [], field),
    ];
  });
}

const MAX_DETAILS = 50;
const MAX_NAME_LENGTH = 100;

/**
 * One problem a field; `email` comes first when it is among them, as the specification has it. Not more of them, nor
 * longer names, than help anyone.
 */
export function inOrder(problems: FieldProblem[]): FieldProblem[] {
  const byField = new Map<string, FieldProblem>();
  for (const { field, message } of problems) {
    const name =
      field.length > MAX_NAME_LENGTH ? `${field.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : field;
    if (!byField.has(name)) byField.set(name, { field: name, message });
  }
  const sorted = [...byField.values()].sort(
    (a, b) => Number(b.field === 'email') - Number(a.field === 'email'),
  );
  return sorted.slice(0, MAX_DETAILS);
}
