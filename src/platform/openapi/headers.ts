import type { HeaderObject, HeadersObject } from '@nestjs/swagger';

/** Response headers, described once and referenced by every response that has them. */
export const headers: Record<string, HeaderObject> = {
  'X-Request-Id': {
    required: true,
    description: 'Identifies the request; a well-formed one that the client sent is kept.',
    schema: { type: 'string', maxLength: 128 },
    example: '0b5e3d1c-8f5a-4f7e-9a43-7a4d5c9c4a11',
  },
  'X-RateLimit-Limit': {
    required: true,
    description: 'Requests a minute that the limit allows.',
    schema: { type: 'integer' },
    example: 1000,
  },
  'X-RateLimit-Remaining': {
    required: true,
    description: 'Requests left in this minute.',
    schema: { type: 'integer' },
    example: 997,
  },
  'X-RateLimit-Reset': {
    required: true,
    description: 'When the next minute begins, in Unix time (whole seconds).',
    schema: { type: 'integer' },
    example: 1800005400,
  },
  'Retry-After': {
    required: true,
    description: 'How many seconds to wait.',
    schema: { type: 'integer', minimum: 1 },
    example: 23,
  },
  'WWW-Authenticate': {
    required: true,
    description: 'What is wrong with the credential, by RFC 6750.',
    schema: { type: 'string' },
    example: 'Bearer realm="gala", error="invalid_token"',
  },
  ETag: {
    description: 'Which state of the object this is, for the If-Match of a change that goes by it.',
    schema: { type: 'string' },
    example: '"m5q3k2vs"',
  },
  'Idempotency-Replayed': {
    description: '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Location: {
    required: true,
    description: 'The path of the new object.',
    schema: { type: 'string' },
    example: '/v1/leads/lead_01h455vb4pex5vsknk084sn02q',
  },
};

const ALWAYS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const ALSO: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
};

export function headersOf(status: number, more: readonly string[] = []): HeadersObject {
  const names = [...(ALSO[status] ?? []), ...more, ...ALWAYS];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
