import type { Type } from '@nestjs/common';
import type { FieldCheck } from '../../kernel/policies';
import { validate } from './validation.pipe';

/**
 * Validates fields by the rules of a body.
 *
 * @param neverNull fields for which the controller turns null into an empty list, and which have no null beyond it
 */
export function fieldCheck<Body extends object>(body: Type<Body>, ...neverNull: (keyof Body)[]): FieldCheck {
  return (fields) => {
    const nulls = neverNull.filter((name) => (fields as Body)[name] === null);
    const lists = nulls.map((name) => ({ field: String(name), message: 'must be a list' }));
    return [...lists, ...validate(body, fields).problems];
  };
}
