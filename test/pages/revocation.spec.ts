import { Client } from '../support/http-client';
import { outcome } from '../support/page-client';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

let one: TestGala;
let two: TestGala;
beforeAll(async () => {
  one = await startGala();
  two = await startGala({ databaseUrl: one.databaseUrl });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

test('a key that the page revoked is refused by every request that begins after the answer', async () => {
  const owner = newEmail();
  const workspace = await workspaceOf(one, owner);
  const browser = await browserOf(one, owner);
  const page = `/settings/${workspace}/test/api-keys`;
  const created = await browser.submit(
    page,
    { name: 'Website form', scopes: 'leads:read' },
    { on: `${page}/new` },
  );
  const token = /gala_test_\w{38}/.exec(created.text)![0];
  const id = /key_\w{26}/.exec((await browser.get(page)).text)![0];

  const before: number[] = [];
  const after: number[] = [];
  let isRevoked = false;
  const call = async (gala: TestGala) => {
    const begunAfter = isRevoked;
    const { status } = await new Client(gala.baseUrl, token).get('/v1/leads');
    (begunAfter ? after : before).push(status);
  };
  // Twenty at any time, half of them on each instance, until each has begun some more after the answer.
  const callers = Array.from({ length: 20 }, async (_, index) => {
    const gala = index % 2 ? one : two;
    while (!isRevoked) await call(gala);
    for (let more = 0; more < 3; more++) await call(gala);
  });
  while (before.filter((status) => status === 200).length < 20) await new Promise(setImmediate);
  const answer = await browser.submit(`${page}/${id}/revoke`, {}, { on: `${page}/${id}/revoke` });
  isRevoked = true;
  await Promise.all(callers);

  expect(outcome(answer)).toBe(`303 ${page}?notice=revoked`);
  expect(after).toHaveLength(60);
  expect(after).toEqual(Array(60).fill(401));
  expect([...new Set(before)].sort().join()).toMatch(/^200(,401)?$/);
});
