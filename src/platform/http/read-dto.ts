import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { Validator } from 'class-validator';
import type { FieldProblem } from '../../kernel/errors';
import { rulesOf } from './field';
import { isObject, isObjectList, type Rule } from './field-rules';
import { MAX_DETAILS, type StructureCheck, unknownField, validationProblems } from './input-problems';
import { rememberRules } from './remember-rules';

rememberRules();
const validator = new Validator();

/** The position of an object in the input. */
interface Place {
  readonly path: string;
  readonly depth: number;
}

/**
 * Makes the DTO of a decoded object and of the objects within it. Problems are added to `check.problems`; values that the
 * structural check refuses reach neither a rule nor a conversion. The cost of a request is bounded: a list that is too
 * long is refused unseen, no more values are read than a request may hold, and no further items are read once there are
 * more problems than a response names.
 */
export function readObject(
  dtoClass: Type<object>,
  input: object,
  place: Place,
  check: StructureCheck,
): object {
  const { problems } = check;
  const plain: Record<string, unknown> = {};
  const nested: Record<string, unknown> = {};
  const untouched: Record<string, unknown> = {};
  if (!check.enters(place.path, place.depth)) return plain;
  const rules = rulesOf(dtoClass);
  for (const name of Object.keys(input)) {
    if (check.isExhausted || (place.depth > 0 && problems.length >= MAX_DETAILS)) return plain;
    const value: unknown = input[name as keyof typeof input];
    const path = place.path ? `${place.path}.${name}` : name;
    const rule = rules.get(name);
    const problem = rule ? lengthProblem(value, path, rule) : unknownField(path || '""');
    if (problem) problems.push(problem);
    else if (rule!.isLeftToHandler) untouched[name] = value;
    else if (isNested(value, rule!)) nested[name] = value;
    else if (check.accepts(value, path, place.depth + 1)) plain[name] = value;
  }
  if (check.isExhausted) return plain;
  const dto = Object.assign(plainToInstance(dtoClass, plain), nested, untouched);
  const errors = validator.validateSync(dto, { whitelist: true, forbidNonWhitelisted: true });
  problems.push(...validationProblems(errors, place.path));
  return Object.assign(dto, readNested(nested, rules, place, check));
}

function readNested(
  nested: Record<string, unknown>,
  rules: ReadonlyMap<string, Rule>,
  place: Place,
  check: StructureCheck,
): Record<string, object> {
  const read: Record<string, object> = {};
  for (const [name, value] of Object.entries(nested)) {
    const type = rules.get(name)!.nested!();
    const path = place.path ? `${place.path}.${name}` : name;
    const depth = place.depth + 1;
    if (!Array.isArray(value)) {
      read[name] = readObject(type, value as object, { path, depth }, check);
    } else if (check.enters(path, depth)) {
      read[name] = readItems(type, value as object[], { path, depth }, check);
    }
  }
  return read;
}

function readItems(
  type: Type<object>,
  items: readonly object[],
  { path, depth }: Place,
  check: StructureCheck,
): object[] {
  const read: object[] = [];
  for (const [index, item] of items.entries()) {
    if (check.problems.length >= MAX_DETAILS) break;
    read.push(readObject(type, item, { path: `${path}[${index}]`, depth: depth + 1 }, check));
  }
  return read;
}

function isNested(value: unknown, { nested, schema }: Rule): boolean {
  return nested !== undefined && (schema.type === 'array' ? isObjectList(value) : isObject(value));
}

function lengthProblem(value: unknown, field: string, { schema }: Rule): FieldProblem | undefined {
  const { maxItems } = schema;
  if (maxItems === undefined || !Array.isArray(value) || value.length <= maxItems) return undefined;
  return { field, message: `must hold at most ${maxItems} items` };
}
