import type { ParameterObject, ReferenceObject } from '@nestjs/swagger';
import { needsCredential } from '../access/access.decorators';
import type { Route } from '../http/route-table';

/** Request headers other than the credential, described once and referenced by operations. */
export const requestHeaders: Record<string, ParameterObject> = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to send again: within 24 hours the same key gets the first success’s answer, and nothing happens twice. A new random one for each new request.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '6f1ed002-ab5b-4a04-8a7b-3f5b8a1e2c11',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of the state that the change goes by. If the object was changed since, nothing happens and the answer is a 422 with the field `If-Match`.',
    schema: { type: 'string' },
    example: '"m5q3k2vs"',
  },
};

export const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of the answer before. When nothing has changed since, the answer is a 304 without a body.',
  schema: { type: 'string' },
  example: '"JLv0yYn5hTqv3b7wD6kKx2nS9aQe4rUoGm1cZfXpBtI"',
};

export function takesIdempotencyKey({ method, access }: Route): boolean {
  return method === 'POST' && needsCredential(access);
}

export function requestHeadersOf(route: Route): ReferenceObject[] {
  const names = [
    ...(takesIdempotencyKey(route) ? ['Idempotency-Key'] : []),
    ...(route.takesIfMatch ? ['If-Match'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
