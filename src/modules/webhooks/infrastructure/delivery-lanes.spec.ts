import { setImmediate as settled } from 'node:timers/promises';
import { DeliveryLanes } from './delivery-lanes';
import type { Claim } from './delivery-queue';

const claimsOf = (endpointId: string, count: number) =>
  Array.from(
    { length: count },
    (_, n) => ({ endpointId, workspaceId: `ws_${n % 2}`, isFailing: false }) as Claim,
  );

/** Lanes, and what has been sent and is still to be answered. */
function lanes() {
  const answers = new Map<Claim, (taken?: boolean) => void>();
  const givenBack: Claim[] = [];
  const freed = jest.fn();
  const made = new DeliveryLanes(
    (claim) => new Promise((resolve) => answers.set(claim, resolve)),
    (claims) => Promise.resolve(void givenBack.push(...claims)),
    freed,
  );
  const answer = async (claim: Claim, taken: boolean | undefined = true) => {
    answers.get(claim)!(taken);
    answers.delete(claim);
    await settled();
  };
  return { lanes: made, sending: answers, givenBack, freed, answer };
}

test('an endpoint is sent fifty at once, and the next as soon as one is answered', async () => {
  const { lanes: made, sending, answer, freed } = lanes();
  const claims = claimsOf('wh_a', 60);
  made.add(claims);
  expect([...sending.keys()]).toEqual(claims.slice(0, 50));

  await answer(claims[7]!);
  expect([...sending.keys()].at(-1)).toBe(claims[50]);
  expect({ sending: sending.size, held: made.leftOver().length, freed: freed.mock.calls.length }).toEqual({
    sending: 50,
    held: 59,
    freed: 1,
  });
});

test('endpoints don’t wait for each other', () => {
  const { lanes: made, sending } = lanes();
  made.add(claimsOf('wh_a', 60));
  made.add(claimsOf('wh_b', 2));
  expect([...sending.keys()].filter(({ endpointId }) => endpointId === ('wh_b' as never))).toHaveLength(2);
});

test('what waits for an endpoint that has failed is given back, and nothing of others', async () => {
  const { lanes: made, sending, givenBack, answer } = lanes();
  const [failing, healthy] = [claimsOf('wh_a', 60), claimsOf('wh_b', 60)];
  made.add(failing);
  made.add(healthy);
  await answer(failing[0]!, false);
  expect(givenBack).toEqual(failing.slice(50));
  expect({ sending: sending.size, held: made.leftOver().length }).toEqual({ sending: 99, held: 109 });
});

test('what waits is recalled, of one endpoint or of all', async () => {
  const { lanes: made, sending, givenBack } = lanes();
  const [one, other] = [claimsOf('wh_a', 60), claimsOf('wh_b', 60)];
  made.add([...one, ...other]);
  await made.recall('wh_unknown');
  await made.recall('wh_a');
  expect(givenBack).toEqual(one.slice(50));
  await made.recall();
  expect(givenBack).toEqual([...one.slice(50), ...other.slice(50)]);
  expect({ sending: sending.size, held: made.leftOver().length }).toEqual({ sending: 100, held: 100 });
});

test('a drain gives back what waits and ends with what is being sent', async () => {
  const { lanes: made, sending, givenBack, answer } = lanes();
  const claims = claimsOf('wh_a', 60);
  made.add(claims);
  const drained = jest.fn();
  const drain = made.drain().then(drained);
  await settled();
  expect(givenBack).toEqual(claims.slice(50));
  expect(made.leftOver()).toEqual(claims.slice(0, 50));

  for (const claim of claims.slice(1, 50)) await answer(claim);
  expect(drained).not.toHaveBeenCalled();
  await answer(claims[0]!);
  await drain;
  expect({ sending: sending.size, held: made.leftOver().length }).toEqual({ sending: 0, held: 0 });
});

test('an endpoint that has been idle is sent again', async () => {
  const { lanes: made, sending, answer } = lanes();
  const [first, second] = claimsOf('wh_a', 2);
  made.add([first!]);
  await answer(first!);
  made.add([second!]);
  expect([...sending.keys()]).toEqual([second]);
});

test('what is held of an endpoint is told with how it answered last', async () => {
  const { lanes: made, answer } = lanes();
  const [healthy, failing] = [claimsOf('wh_a', 60), claimsOf('wh_b', 2)];
  made.add([...healthy, ...failing]);
  expect(made.held()).toMatchObject([
    { endpointId: 'wh_a', workspaceId: 'ws_0', claims: 60, isFailing: false, isFast: false },
    { endpointId: 'wh_b', claims: 2, isFailing: false, isFast: false },
  ]);
  await answer(healthy[0]!);
  await answer(failing[0]!, false);
  expect(made.held()).toMatchObject([
    { endpointId: 'wh_a', claims: 59, isFailing: false, isFast: true },
    { endpointId: 'wh_b', claims: 1, isFailing: true, isFast: false },
  ]);
});

test('an answer that took a second isn’t fast', async () => {
  const { lanes: made, answer } = lanes();
  const claims = claimsOf('wh_a', 2);
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  made.add(claims);
  now.mockReturnValue(1000);
  await answer(claims[0]!);
  now.mockRestore();
  expect(made.held()).toMatchObject([{ isFast: false }]);
});

test('what wasn’t sent after all says nothing of its endpoint', async () => {
  const { lanes: made, sending } = lanes();
  const [unsent] = claimsOf('wh_a', 60);
  made.add([unsent!, ...claimsOf('wh_a', 59)]);
  sending.get(unsent!)!(undefined);
  await settled();
  expect(made.held()).toMatchObject([{ claims: 59, isFailing: false, isFast: false }]);
});
