import { rateOf } from '../support/expect-refusal';
import { expectRefusal } from '../support/expect-refusal';
import { startGala, type TestGala } from '../support/start-gala';

const WORKSPACE = 30;
const READS = 20;

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({
    configuration: { rateLimits: { reads: READS, writes: 100, address: 100_000, workspace: WORKSPACE } },
  });
});
afterAll(() => gala.stop());

test('keys of a workspace share its budget, exactly, and no other workspace or mode does', async () => {
  const workspace = await gala.createWorkspace();
  const keys = await Promise.all([1, 2, 3].map(() => workspace.client()));
  const answers = await Promise.all(Array.from({ length: 45 }, (_, index) => keys[index % 3]!.get('/v1/me')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(WORKSPACE);
  expect(refused).toHaveLength(15);
  for (const answer of refused) expectRefusal(answer, 429);
  expect((await (await workspace.client('test')).get('/v1/me')).status).toBe(200);
  expect((await (await (await gala.createWorkspace()).client()).get('/v1/me')).status).toBe(200);
});

test('headers show the bucket with fewer requests left', async () => {
  const workspace = await gala.createWorkspace();
  const [one, other] = [await workspace.client(), await workspace.client()];
  expect(rateOf(await one.get('/v1/me'))).toMatchObject({ limit: READS, remaining: READS - 1 });
  for (let count = 0; count < 15; count++) await one.get('/v1/me');
  expect(rateOf(await other.get('/v1/me'))).toMatchObject({ limit: WORKSPACE, remaining: WORKSPACE - 17 });
});

test('what a key’s own limit refuses leaves the rest of the budget to the others', async () => {
  const workspace = await gala.createWorkspace();
  const [greedy, modest] = [await workspace.client(), await workspace.client()];
  const answers = await Promise.all(Array.from({ length: 60 }, () => greedy.get('/v1/me')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(READS);
  expect(rateOf(await modest.get('/v1/me'))).toMatchObject({ limit: WORKSPACE, remaining: 9 });
});
