import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { FieldProblem } from '../../kernel/errors';
import { Validator } from './class-validator';
import { type FieldShape, isObject, isObjectList, shapesOf } from './field-shape';
import { MAX_DETAILS, type StructureCheck, unknownField, validationProblems } from './input-problems';

const validator = new Validator();

/** Where an object stands in the input. */
interface Place {
  readonly path: string;
  readonly depth: number;
}

/**
 * Makes the DTO of a decoded object and of those within it. What is wrong goes to `check.problems`; what the structural
 * check refuses reaches neither a rule nor a conversion. Costs are bounded before they arise: a list that is too long
 * is refused unseen, no more values are looked at than a request may hold, and once there are more problems than an
 * answer names, no further items are.
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
  if (!check.enters(place.path, place.depth)) return plain;
  const shapes = shapesOf(dtoClass);
  for (const name of Object.keys(input)) {
    if (check.isExhausted || (place.depth > 0 && problems.length >= MAX_DETAILS)) return plain;
    const value: unknown = input[name as keyof typeof input];
    const path = place.path ? `${place.path}.${name}` : name;
    const shape = shapes.get(name);
    const problem = shape ? lengthProblem(value, path, shape) : unknownField(path || '""');
    if (problem) problems.push(problem);
    else if (isNested(value, shape!)) nested[name] = value;
    else if (check.accepts(value, path, place.depth + 1)) plain[name] = value;
  }
  if (check.isExhausted) return plain;
  const dto = Object.assign(plainToInstance(dtoClass, plain), nested);
  const errors = validator.validateSync(dto, { whitelist: true, forbidNonWhitelisted: true });
  problems.push(...validationProblems(errors, place.path));
  return Object.assign(dto, readNested(nested, shapes, place, check));
}

function readNested(
  nested: Record<string, unknown>,
  shapes: ReadonlyMap<string, FieldShape>,
  place: Place,
  check: StructureCheck,
): Record<string, object> {
  const read: Record<string, object> = {};
  for (const [name, value] of Object.entries(nested)) {
    const type = shapes.get(name)!.type!();
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

function isNested(value: unknown, { type, maxItems }: FieldShape): boolean {
  return type !== undefined && (maxItems === undefined ? isObject(value) : isObjectList(value));
}

function lengthProblem(value: unknown, field: string, { maxItems }: FieldShape): FieldProblem | undefined {
  if (maxItems === undefined || !Array.isArray(value) || value.length <= maxItems) return undefined;
  return { field, message: `must hold at most ${maxItems} items` };
}
