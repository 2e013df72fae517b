import type { ValidationError } from 'class-validator';
import type { FieldProblem } from '../../kernel/errors';
import { textProblem } from '../../kernel/text';

/** More than any request needs. */
export const MAX_DEPTH = 16;
/** Texts, numbers, lists and objects of one body or query: far more than any route takes, since each costs time. */
export const MAX_VALUES = 10_000;

/**
 * The problems of a decoded body or query that don't depend on its route: text that can't be stored, names of
 * Object.prototype (which later steps could mistake for their own), and more nesting or more values than any request
 * needs.
 */
export function structuralProblems(input: object): FieldProblem[] {
  const check = new StructureCheck();
  check.accepts(input, '', 0);
  return check.problems;
}

/** The structural check of one body or query, as a whole or in parts. */
export class StructureCheck {
  readonly problems: FieldProblem[] = [];
  private values = 0;

  /** Whether there were too many values, so that no more are checked. */
  get isExhausted(): boolean {
    return this.values > MAX_VALUES;
  }

  /** Checks a value and everything in it; false when there is a problem. */
  accepts(value: unknown, path: string, depth: number): boolean {
    const before = this.problems.length;
    this.visit(value, path, depth);
    return this.problems.length === before && !this.isExhausted;
  }

  /** Counts an object or list whose members are passed one by one; false when they must not be read. */
  enters(path: string, depth: number): boolean {
    if (!this.counts(path)) return false;
    if (depth < MAX_DEPTH) return true;
    this.problems.push({ field: path, message: `must not be nested deeper than ${MAX_DEPTH} levels` });
    return false;
  }

  private visit(value: unknown, path: string, depth: number): void {
    if (typeof value === 'object' && value !== null) {
      if (!this.enters(path, depth)) return;
      if (Array.isArray(value)) this.visitItems(value, path, depth);
      else this.visitFields(value, path, depth);
      return;
    }
    if (!this.counts(path) || typeof value !== 'string') return;
    const problem = textProblem(value);
    if (problem) this.problems.push({ field: path, message: problem });
  }

  /** A problem names an array of plain values as a whole, and the item in an array of objects. */
  private visitItems(items: unknown[], path: string, depth: number): void {
    for (const [index, item] of items.entries()) {
      if (this.isExhausted) return;
      this.visit(item, typeof item === 'object' ? `${path}[${index}]` : path, depth + 1);
    }
  }

  private visitFields(fields: object, path: string, depth: number): void {
    for (const name of Object.keys(fields)) {
      if (this.isExhausted) return;
      const value: unknown = fields[name as keyof typeof fields];
      const fieldPath = path ? `${path}.${name}` : name;
      if (name in Object.prototype || name === '') this.problems.push(unknownField(fieldPath || '""'));
      else this.visit(value, fieldPath, depth + 1);
    }
  }

  private counts(path: string): boolean {
    this.values++;
    if (this.values === MAX_VALUES + 1) {
      const message = `is one value too many: a request may hold at most ${MAX_VALUES}`;
      this.problems.push({ field: path, message });
    }
    return !this.isExhausted;
  }
}

/** A copy of a decoded body with null in place of what is nested deeper than any request may be. */
export function cutAtMaxDepth(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => cutAtMaxDepth(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, cutAtMaxDepth(part, depth + 1)]),
  );
}

export function unknownField(field: string): FieldProblem {
  return { field, message: 'is not a known field here' };
}

/** Flattens class-validator's errors to one problem for each field. */
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

/** How many problems a response names. */
export const MAX_DETAILS = 50;
export const MAX_NAME_LENGTH = 100;

/**
 * One problem for each field, with `email` first as the specification requires. Their number and the length of names are
 * limited, since clients choose both.
 */
export function inOrder(problems: readonly FieldProblem[]): FieldProblem[] {
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
