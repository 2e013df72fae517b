import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../support/http-client';
import { compileService, startServiceProcess } from '../support/service-process';
import { onConnection, sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';
import { newApp, type TestApp } from './support';

/** Two instances on one database, by the real clock: what they say must not hang on who is a millisecond ahead. */
jest.setTimeout(60_000);

let gala: TestGala;
let other: TestGala;
let app: TestApp;
beforeAll(async () => {
  gala = await startGala();
  other = await startGala({ databaseUrl: gala.databaseUrl });
  app = await newApp(gala);
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});

const instance = (index: number) => (index % 2 === 0 ? gala : other).baseUrl;

/** What came of each, as `200` or `400 invalid_grant`. */
const outcomes = (answers: Answer[]) =>
  answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.error}`)).sort();
const winners = (answers: Answer[]) => answers.filter(({ status }) => status === 200).map(({ body }) => body);
const oneOf = (count: number) => ['200', ...Array<string>(count - 1).fill('400 invalid_grant')];

/** Holds every grant until all requests that have their turn wait for it, so that they truly meet. */
async function allAtOnce(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return onConnection(gala.databaseUrl, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM oauth_grants FOR UPDATE');
    const sent = Array.from({ length: count }, (_, index) => send(index));
    await untilNoMoreWait();
    await holder.query('COMMIT');
    return Promise.all(sent);
  });
}

async function untilNoMoreWait(): Promise<void> {
  for (let before = 0; ;) {
    await sleep(200);
    const now = await waiting();
    if (now > 0 && now === before) return;
    before = now;
  }
}

async function waiting(): Promise<number> {
  const [row] = await sql<{ count: string }>(
    gala.databaseUrl,
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return Number(row!.count);
}

describe('one code, redeemed twenty times at once', () => {
  test.each(['one instance', 'two instances'])(
    'gives tokens once, which are dead afterwards: %s',
    async (where) => {
      const at = where === 'one instance' ? () => gala.baseUrl : instance;
      for (let round = 0; round < 5; round++) {
        const code = await app.code();
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => app.redeem(code, {}, at(index))),
        );
        expect(outcomes(answers)).toEqual(oneOf(20));
        const [tokens] = winners(answers);
        for (const { baseUrl } of [gala, other]) expect(await app.statusOf(tokens, baseUrl)).toBe(401);
        expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400 });
      }
    },
  );

  test('also when all wait at the very same door', async () => {
    const code = await app.code();
    const answers = await allAtOnce(12, (index) => app.redeem(code, {}, instance(index)));
    expect(outcomes(answers)).toEqual(oneOf(12));
    expect(await app.statusOf(winners(answers)[0])).toBe(401);
  });
});

describe('one refresh token, used ten times at once', () => {
  test.each(['one instance', 'two instances'])('gives tokens once, and they live: %s', async (where) => {
    const at = where === 'one instance' ? () => gala.baseUrl : instance;
    let { refresh_token: token } = await app.install();
    for (let round = 0; round < 5; round++) {
      const sent = token;
      const answers = await allAtOnce(10, (index) => app.refresh(sent, {}, at(index)));
      expect(outcomes(answers)).toEqual(oneOf(10));
      const [tokens] = winners(answers);
      expect(await app.statusOf(tokens)).toBe(200);
      token = tokens.refresh_token;
    }
    expect((await app.refresh(token)).status).toBe(200);
  });

  test('by a process that has just started, without anything that holds them', async () => {
    const compiled = compileService();
    for (let round = 0; round < 3; round++) {
      const { refresh_token: token } = await app.install();
      const env = { DATABASE_URL: gala.databaseUrl, ENCRYPTION_KEY: '07'.repeat(32) };
      const cold = await startServiceProcess(compiled.directory, env);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => app.refresh(token, {}, cold.baseUrl)),
      );
      await cold.stop();
      expect(outcomes(answers)).toEqual(oneOf(10));
      expect(await app.statusOf(winners(answers)[0])).toBe(200);
    }
    compiled.remove();
  });

  test('and once more as soon as the answer was there, as after one that got lost: good', async () => {
    const { refresh_token: token } = await app.install();
    for (let round = 0; round < 10; round++) expect((await app.refresh(token)).status).toBe(200);
  });
});

test('codes, refreshes and a revocation at once don’t get into a deadlock', async () => {
  const tokens = await app.install();
  const codes = [await app.code(), await app.code()];
  const answers = await Promise.all([
    ...codes.map((code, index) => app.redeem(code, {}, instance(index))),
    ...[0, 1, 2].map((index) => app.refresh(tokens.refresh_token, {}, instance(index))),
    app.call('/oauth/revoke', { token: tokens.refresh_token }),
  ]);
  for (const { status } of answers) expect([200, 400]).toContain(status);
  expect(await app.statusOf(tokens)).toBe(401);
});
