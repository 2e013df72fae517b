import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailed } from '../../kernel/errors';
import { Precondition } from '../../kernel/precondition';
import { rule } from './field-rules';

const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
/** With the empty elements that RFC 9110 section 5.6.1.2 has recipients overlook. */
const LIST = new RegExp(`^[ \\t,]*${ENTITY_TAG}(?:[ \\t]*,[ \\t,]*${ENTITY_TAG})*[ \\t,]*$`);

/** Longer than Node takes of all headers. */
const MAX_LENGTH = 16 * 1024;

/** Marks the parameters that `@IfMatch()` makes. */
export function readPrecondition(_: unknown, context: ExecutionContext): Precondition | undefined {
  const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
  if (header === undefined) return undefined;
  const problem = entityTags(header);
  if (problem) throw new ValidationFailed({ field: 'If-Match', message: problem });
  return preconditionOf(header);
}

/** The rule of a text that is written like the header. */
export const entityTags = rule({ type: 'string', minLength: 1, maxLength: MAX_LENGTH }, (value) =>
  typeof value === 'string' && value.length <= MAX_LENGTH && (value === '*' || LIST.test(value))
    ? undefined
    : 'must be * or entity tags as answers give them in ETag, quotes included',
);

/** @param text that `entityTags` accepts */
export function preconditionOf(text: string): Precondition {
  return new Precondition(text === '*' ? undefined : text.match(new RegExp(ENTITY_TAG, 'g'))!);
}

/** The precondition of a route that changes a single object. Routes without it refuse the header. */
export const IfMatch = createParamDecorator(readPrecondition);
