import type { IncomingHttpHeaders } from 'node:http';

/** What a refusal is checked by, whether it came through the client or over a bare connection. */
export interface Refusal {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
}

const CODES: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  422: 'validation_error',
  429: 'rate_limit',
  500: 'server_error',
};

const INTERNALS =
  /node_modules|\bat \S+:\d+|\.(?:ts|js):\d+|SyntaxError|TypeError|QueryFailed|\bselect\b.+\bfrom\b|insert into|violates|constraint|"relation|ECONN|postgres/i;

export interface RefusalOptions {
  /** For 422: one of the fields that `details` names. */
  field?: string;
  /** For 401: whether the challenge says that the credential is bad. For 403: the scope it names. */
  challenge?: 'plain' | 'invalid_token';
  scope?: string;
  /** Outside /v1 answers are enveloped but not counted. */
  counted?: boolean;
}

/** The envelope and every header that a refusal has to carry, whatever refused it. */
export function expectRefusal(answer: Refusal, status: number, options: RefusalOptions = {}): void {
  const { headers, body } = answer;
  expect({ status: answer.status, code: body?.error?.code, text: answer.text.slice(0, 500) }).toMatchObject({
    status,
    code: CODES[status],
  });
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toMatchObject({ status, message: expect.stringMatching(/\S/) });
  expect(answer.text).not.toMatch(INTERNALS);
  expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
  expectCommonHeaders(answer);
  expect(body.error.requestId).toBe(headers['x-request-id']);
  if (options.counted !== false) expectRateHeaders(answer);
  expectFields(body.error, status, options);
  expectChallenge(headers, status, options);
}

export function expectCommonHeaders({ headers }: Pick<Refusal, 'headers'>): void {
  expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('access-control-allow-origin');
}

export function expectRateHeaders({ headers }: Pick<Refusal, 'headers'>): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect({ [name]: headers[name] }).toEqual({ [name]: expect.stringMatching(/^\d+$/) });
  }
  const { limit, remaining, reset } = rateOf({ headers });
  expect(remaining).toBeLessThan(limit);
  expect(Math.abs(reset - Date.now() / 1000)).toBeLessThanOrEqual(62);
}

/** The three rate headers as numbers. */
export function rateOf({ headers }: Pick<Refusal, 'headers'>): {
  limit: number;
  remaining: number;
  reset: number;
} {
  return {
    limit: Number(headers['x-ratelimit-limit']),
    remaining: Number(headers['x-ratelimit-remaining']),
    reset: Number(headers['x-ratelimit-reset']),
  };
}

function expectFields(
  error: { field?: string; details?: { field: string; message: string }[] },
  status: number,
  { field }: RefusalOptions,
): void {
  if (status !== 422) {
    expect(error).not.toHaveProperty('field');
    expect(error).not.toHaveProperty('details');
    return;
  }
  expect(error.details!.length).toBeGreaterThan(0);
  for (const detail of error.details!) {
    expect(detail).toEqual({ field: expect.stringMatching(/./s), message: expect.stringMatching(/\S/) });
  }
  expect(error.field).toBe(error.details![0]!.field);
  if (field !== undefined) expect(error.details!.map((detail) => detail.field)).toContain(field);
}

function expectChallenge(
  headers: IncomingHttpHeaders,
  status: number,
  { challenge, scope }: RefusalOptions,
): void {
  const given = headers['www-authenticate'];
  if (status === 401) {
    expect(given).toMatch(/^Bearer\b/);
    if (challenge === 'plain') expect(given).not.toContain('error');
    if (challenge === 'invalid_token') expect(given).toContain('error="invalid_token"');
  } else if (status === 403) {
    expect(given).toMatch(/^Bearer\b.*error="insufficient_scope"/);
    if (scope) expect(given).toContain(`scope="${scope}"`);
  } else {
    expect(given).toBeUndefined();
  }
  if (status === 429) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
}
