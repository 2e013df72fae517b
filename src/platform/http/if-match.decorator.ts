import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ValidationFailed } from '../../kernel/errors';
import { Precondition } from '../../kernel/precondition';

const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
/** With the empty elements that RFC 9110 section 5.6.1.2 has recipients overlook. */
const LIST = new RegExp(`^[ \\t,]*${ENTITY_TAG}(?:[ \\t]*,[ \\t,]*${ENTITY_TAG})*[ \\t,]*$`);

/** Marks the parameters that `@IfMatch()` makes. */
export function readPrecondition(_: unknown, context: ExecutionContext): Precondition | undefined {
  const header = context.switchToHttp().getRequest<Request>().headers['if-match'];
  if (header === undefined) return undefined;
  if (header === '*') return new Precondition(undefined);
  if (LIST.test(header)) return new Precondition(header.match(new RegExp(ENTITY_TAG, 'g'))!);
  throw new ValidationFailed({
    field: 'If-Match',
    message: 'must be * or entity tags as answers give them in ETag, quotes included',
  });
}

/** The precondition of a route that changes a single object. Routes without it refuse the header. */
export const IfMatch = createParamDecorator(readPrecondition);
