import type { HeaderObject, HeadersObject } from '@nestjs/swagger';

/** The headers of answers: described once, and referred to by every response that carries them. */
export const headers: Record<string, HeaderObject> = {
  'X-Request-Id': {
    description: 'Identifies the request; a well-formed one that the client sent is kept.',
    schema: { type: 'string', maxLength: 128 },
    example: '0b5e3d1c-8f5a-4f7e-9a43-7a4d5c9c4a11',
  },
  'X-RateLimit-Limit': {
    description: 'Requests a minute that the limit allows.',
    schema: { type: 'integer' },
    example: 1000,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in this minute.',
    schema: { type: 'integer' },
    example: 997,
  },
  'X-RateLimit-Reset': {
    description: 'When the next minute begins, in Unix time (whole seconds).',
    schema: { type: 'integer' },
    example: 1800005400,
  },
  'Retry-After': {
    description: 'How many seconds to wait.',
    schema: { type: 'integer', minimum: 1 },
    example: 23,
  },
  'WWW-Authenticate': {
    description: 'What is wrong with the credential, by RFC 6750.',
    schema: { type: 'string' },
    example: 'Bearer realm="gala", error="invalid_token"',
  },
  Location: {
    description: 'The path of the new object.',
    schema: { type: 'string' },
    example: '/v1/leads/lead_01h455vb4pex5vsknk084sn02q',
  },
};

const ALWAYS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const ALSO: Record<number, string[]> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
};

export function headersOf(status: number): HeadersObject {
  const names = [...(ALSO[status] ?? []), ...ALWAYS];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
