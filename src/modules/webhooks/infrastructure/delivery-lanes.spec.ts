import { setImmediate as settled } from 'node:timers/promises';
import { DeliveryLanes } from './delivery-lanes';
import type { Claim } from './delivery-queue';

const claimsOf = (endpointId: string, count: number) =>
  Array.from(
    { length: count },
    (_, n) => ({ endpointId, workspaceId: `ws_${n % 2}`, isFailing: false }) as Claim,
  );

/** Lanes, and the deliveries that are sent and not answered yet. */
function lanes() {
  const answers = new Map<Claim, (outcome?: { succeeded: boolean }) => void>();
  const released: Claim[] = [];
  const made = new DeliveryLanes((claim) => Promise.resolve(void released.push(claim)));
  const passed = jest.fn();
  const add = async (claims: Claim[]) => {
    const send = (claim: Claim) => () =>
      new Promise<{ succeeded: boolean } | undefined>((resolve) => answers.set(claim, resolve));
    for (const claim of claims) void made.pass(claim, send(claim)).then(passed);
    await settled();
  };
  const answer = async (claim: Claim, succeeded: boolean | undefined = true) => {
    answers.get(claim)!({ succeeded });
    answers.delete(claim);
    await settled();
  };
  const held = () => made.beginClaim().reduce((sum, { claims }) => sum + claims, 0);
  return { lanes: made, sending: answers, released, passed, add, answer, held };
}

test('an endpoint is sent fifty at once, and the next as soon as one is answered', async () => {
  const { add, sending, answer, passed, held } = lanes();
  const claims = claimsOf('wh_a', 60);
  await add(claims);
  expect([...sending.keys()]).toEqual(claims.slice(0, 50));

  await answer(claims[7]!);
  expect([...sending.keys()].at(-1)).toBe(claims[50]);
  expect({ sending: sending.size, held: held() }).toEqual({ sending: 50, held: 59 });
  expect(passed.mock.calls).toEqual([[{ succeeded: true }]]);
});

test('endpoints don’t wait for each other', async () => {
  const { add, sending } = lanes();
  await add(claimsOf('wh_a', 60));
  await add(claimsOf('wh_b', 2));
  expect([...sending.keys()].filter(({ endpointId }) => endpointId === ('wh_b' as never))).toHaveLength(2);
});

test('deliveries that wait for an endpoint that has failed are released, and none of others', async () => {
  const { add, sending, released, passed, answer, held } = lanes();
  const [failing, healthy] = [claimsOf('wh_a', 60), claimsOf('wh_b', 60)];
  await add(failing);
  await add(healthy);
  await answer(failing[0]!, false);
  expect(released).toEqual(failing.slice(50));
  expect({ sending: sending.size, held: held() }).toEqual({ sending: 99, held: 109 });
  expect(passed.mock.calls).toContainEqual([{ succeeded: false }]);
  expect(passed.mock.calls.filter(([outcome]) => outcome === undefined)).toHaveLength(10);
});

test('deliveries that wait are released when their endpoint is changed, or when any may have been', async () => {
  const { lanes: made, add, sending, released, held } = lanes();
  const [one, other] = [claimsOf('wh_a', 60), claimsOf('wh_b', 60)];
  await add([...one, ...other]);
  made.recall('wh_unknown');
  made.recall('wh_a');
  await settled();
  expect(released).toEqual(one.slice(50));
  made.recall();
  await settled();
  expect(released).toEqual([...one.slice(50), ...other.slice(50)]);
  expect({ sending: sending.size, held: held() }).toEqual({ sending: 100, held: 100 });
});

test('deliveries claimed before a change of their endpoint, and added after it, are released', async () => {
  const { lanes: made, add, sending, released } = lanes();
  const [stale, other, later] = [claimsOf('wh_a', 2), claimsOf('wh_b', 1), claimsOf('wh_a', 1)];
  made.beginClaim();
  made.recall('wh_a');
  await add([...stale, ...other]);
  expect({ sent: [...sending.keys()], released }).toEqual({ sent: other, released: stale });
  made.recall();
  made.beginClaim();
  await add(later);
  expect([...sending.keys()]).toEqual([...other, ...later]);
});

test('an endpoint that has been idle is sent again', async () => {
  const { add, sending, answer, held } = lanes();
  const [first, second] = claimsOf('wh_a', 2);
  await add([first!]);
  await answer(first!);
  expect(held()).toBe(0);
  await add([second!]);
  expect([...sending.keys()]).toEqual([second]);
});

test('the claims of an endpoint are told with how it answered last', async () => {
  const { lanes: made, add, answer } = lanes();
  const [healthy, failing] = [claimsOf('wh_a', 60), claimsOf('wh_b', 2)];
  await add([...healthy, ...failing]);
  expect(made.beginClaim()).toMatchObject([
    { endpointId: 'wh_a', workspaceId: 'ws_0', claims: 60, isFailing: false, isFast: false },
    { endpointId: 'wh_b', claims: 2, isFailing: false, isFast: false },
  ]);
  await answer(healthy[0]!);
  await answer(failing[0]!, false);
  expect(made.beginClaim()).toMatchObject([
    { endpointId: 'wh_a', claims: 59, isFailing: false, isFast: true },
    { endpointId: 'wh_b', claims: 1, isFailing: true, isFast: false },
  ]);
});

test('an answer that took a second isn’t fast', async () => {
  const { lanes: made, add, answer } = lanes();
  const claims = claimsOf('wh_a', 2);
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  await add(claims);
  now.mockReturnValue(1000);
  await answer(claims[0]!);
  now.mockRestore();
  expect(made.beginClaim()).toMatchObject([{ isFast: false }]);
});

test('a delivery that wasn’t sent after all says nothing of its endpoint', async () => {
  const { lanes: made, add, sending, passed } = lanes();
  const [unsent] = claimsOf('wh_a', 60);
  await add([unsent!, ...claimsOf('wh_a', 59)]);
  sending.get(unsent!)!(undefined);
  await settled();
  expect(made.beginClaim()).toMatchObject([{ claims: 59, isFailing: false, isFast: false }]);
  expect(passed.mock.calls).toEqual([[undefined]]);
});

test('a delivery whose sending throws leaves its turn to the next', async () => {
  const { lanes: made, add, sending } = lanes();
  const claims = claimsOf('wh_a', 51);
  const failing = made.pass(claims[0]!, () => Promise.reject(new Error('no')));
  await add(claims.slice(1));
  await expect(failing).rejects.toThrow('no');
  await settled();
  expect([...sending.keys()]).toEqual(claims.slice(1));
});
