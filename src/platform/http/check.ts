import type { SchemaObject } from '@nestjs/swagger';
import type { FieldProblem } from '../../kernel/errors';
import { MAX_DEPTH } from './input-problems';

/** A rule about several fields of a body together, such as the order of two times. */
export interface CheckOptions<Body> {
  /** The fields that it compares. It doesn't run while one of them has a problem of its own. */
  readonly fields: readonly (keyof Body & string)[];
  readonly problems: (body: Body) => readonly FieldProblem[];
  /** The same in JSON Schema, as far as it can say it. */
  readonly schema?: SchemaObject;
}

const checks = new Map<object, CheckOptions<never>[]>();

/**
 * Adds a rule to the class of a body, or of an object within one. Its problems are reported before anything is looked up,
 * together with all other problems of the request.
 */
export function Check<Body extends object>(options: CheckOptions<Body>) {
  return (target: new () => Body): void => {
    checks.set(target, [...(checks.get(target) ?? []), options]);
  };
}

/** Every class with checks, and the schemas of these checks. */
export function checkedClasses(): { type: new () => object; schemas: SchemaObject[] }[] {
  return [...checks].map(([type, options]) => ({
    type: type as new () => object,
    schemas: options.flatMap(({ schema }) => schema ?? []),
  }));
}

/** The problems that checks find in a validated object and in the objects within it; `known` are those of single fields. */
export function checkProblems(
  value: unknown,
  known: readonly FieldProblem[],
  path = '',
  depth = 0,
): FieldProblem[] {
  // Objects that are left to the handler may be nested more deeply, and have no checks.
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => checkProblems(item, known, `${path}[${index}]`, depth + 1));
  }
  const pathOf = (field: string) => (path ? `${path}.${field}` : field);
  const hasProblem = (field: string) => known.some((problem) => isWithin(problem.field, pathOf(field)));
  const own = (checks.get(value.constructor) ?? [])
    .filter(({ fields }) => !fields.some(hasProblem))
    .flatMap(({ problems }) => problems(value as never))
    .map(({ field, message }) => ({ field: pathOf(field), message }));
  for (const [name, part] of Object.entries(value) as [string, unknown][]) {
    if (typeof part === 'object' && part !== null)
      own.push(...checkProblems(part, known, pathOf(name), depth + 1));
  }
  return own;
}

function isWithin(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
