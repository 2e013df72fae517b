import { getMetadataStorage } from './class-validator';

/** What is known of a field before its value is looked at. */
export class FieldShape {
  constructor(
    /** Of a list. */
    readonly maxItems?: number,
    /** The class of an object with fields of its own, or of each item of a list. */
    readonly type?: () => new () => object,
  ) {}
}

const known = new WeakMap<object, Map<string, FieldShape>>();

/**
 * The fields of a DTO by their names, inherited ones included. They are read from class-validator's metadata, where
 * `Field` leaves them, so that Nest's mapped types (`PartialType` and its like) keep them.
 */
export function shapesOf(dtoClass: new () => object): Map<string, FieldShape> {
  const earlier = known.get(dtoClass);
  if (earlier) return earlier;
  const shapes = new Map<string, FieldShape>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(dtoClass, '', false, false)) {
    const [shape] = (metadata.constraints as unknown[] | undefined) ?? [];
    if (shape instanceof FieldShape) shapes.set(metadata.propertyName, shape);
    else if (!shapes.has(metadata.propertyName)) shapes.set(metadata.propertyName, new FieldShape());
  }
  known.set(dtoClass, shapes);
  return shapes;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isObjectList(value: unknown): value is object[] {
  return Array.isArray(value) && value.every(isObject);
}
