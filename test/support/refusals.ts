import type { Answer } from './http-client';

/** The answer is the 422 that names `field` first, and tells nothing of the inside. */
export function expectInvalid(answer: Answer, field: string): void {
  expect({ status: answer.status, field: answer.body?.error?.field }).toEqual({ status: 422, field });
  const { error } = answer.body;
  expect(error).toEqual({
    code: 'validation_error',
    message: expect.any(String),
    field,
    status: 422,
    requestId: answer.headers['x-request-id'],
    details: expect.any(Array),
  });
  expect(error.details[0]).toEqual({ field, message: expect.any(String) });
  expectNothingInternal(answer);
}

export function expectNotFound(answer: Answer): void {
  expectError(answer, 404, 'not_found');
}

export function expectUnauthorized(answer: Answer): void {
  expectError(answer, 401, 'unauthorized');
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
}

export function expectForbidden(answer: Answer): void {
  expectError(answer, 403, 'forbidden');
  expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope"');
}

function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({
    error: { code, message: expect.any(String), status, requestId: answer.headers['x-request-id'] },
  });
  expectNothingInternal(answer);
}

function expectNothingInternal({ text }: Answer): void {
  expect(text).not.toMatch(/node_modules|\.ts:|\bat .+\(|SELECT|INSERT|UPDATE|relation|constraint|pg_/);
}
