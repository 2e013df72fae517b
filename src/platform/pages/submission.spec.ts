import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'express';
import fc from 'fast-check';
import { submissionOf } from './submission';

const TOKEN = 'a-token-of-at-least-20-characters';
const SECRET = 'the secret of the browser';

const requestOf = (body: object | undefined, path = '/x', method = 'POST') =>
  ({ method, path, query: {}, body }) as unknown as Request;
const sent = (body: object, path?: string) =>
  submissionOf(requestOf({ ...body, submission: TOKEN }, path), SECRET)!;

const fields = fc.dictionary(
  fc.constantFrom('name', 'scopes', 'csrfToken'),
  fc.oneof(fc.string(), fc.array(fc.string())),
);

test('two submissions have the same content when path and fields are the same, in whatever order', () => {
  fc.assert(
    fc.property(fields, fields, fc.webPath(), fc.webPath(), (one, other, path, otherPath) => {
      const isSame = isDeepStrictEqual({ ...one }, { ...other }) && path === otherPath;
      expect(sent(one, path).content === sent(other, otherPath).content).toBe(isSame);
      const reversed = Object.fromEntries(Object.entries(one).reverse());
      expect(sent(reversed, path).content).toBe(sent(one, path).content);
    }),
  );
});

test('any value but a token of 20 to 64 characters is taken as none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 80 }), fc.array(fc.string())), (submission) => {
      const isToken = typeof submission === 'string' && /^[A-Za-z0-9_-]{20,64}$/.test(submission);
      expect(submissionOf(requestOf({ submission }), SECRET) !== undefined).toBe(isToken);
    }),
  );
  expect(sent({})).toMatchObject({ token: TOKEN, browserSecret: SECRET });
});

test('is none of a page that is read, of a browser without a cookie, and where no body is read', () => {
  const body = { submission: TOKEN };
  expect(submissionOf(requestOf(body, '/x', 'GET'), SECRET)).toBeUndefined();
  expect(submissionOf(requestOf(body), undefined)).toBeUndefined();
  expect(submissionOf(requestOf(undefined), SECRET)).toBeUndefined();
});
