import type { Request } from 'express';
import type { Submission } from '../form-submissions/form-submissions';
import { canonicalJson } from '../idempotency/canonical-json';

/** The hidden field with the token of a form, which is new each time that the form is rendered. */
export const SUBMISSION_FIELD = 'submission';

const TOKEN = /^[A-Za-z0-9_-]{20,64}$/;

/** Undefined for what may be done as often as it is sent: no form, or one without a token, such as of an older release. */
export function submissionOf(request: Request, browserSecret: string | undefined): Submission | undefined {
  if (request.method !== 'POST' || browserSecret === undefined) return undefined;
  const { path, query } = request;
  // Where nothing is, no body is read.
  const body = request.body as Record<string, unknown> | undefined;
  const token = body?.[SUBMISSION_FIELD];
  if (typeof token !== 'string' || !TOKEN.test(token)) return undefined;
  return { browserSecret, token, content: canonicalJson([path, query, body]) };
}
