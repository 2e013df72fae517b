import { setImmediate as settled } from 'node:timers/promises';
import { DeliveryLanes } from './delivery-lanes';
import type { Claim } from './delivery-queue';

const claimsOf = (endpointId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ endpointId, workspaceId: `ws_${n % 2}` }) as Claim);

/** Lanes, and what has been sent and is still to be answered. */
function lanes() {
  const answers = new Map<Claim, (taken: boolean) => void>();
  const givenBack: Claim[] = [];
  const freed = jest.fn();
  const made = new DeliveryLanes(
    (claim) => new Promise((resolve) => answers.set(claim, resolve)),
    (claims) => Promise.resolve(void givenBack.push(...claims)),
    freed,
  );
  const answer = async (claim: Claim, taken = true) => {
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
  expect({ sending: sending.size, held: made.size, freed: freed.mock.calls.length }).toEqual({
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
  expect({ sending: sending.size, held: made.size }).toEqual({ sending: 99, held: 109 });
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
  expect({ sending: sending.size, held: made.size }).toEqual({ sending: 100, held: 100 });
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
  expect({ sending: sending.size, held: made.size }).toEqual({ sending: 0, held: 0 });
});

test('an endpoint that has been idle is sent again', async () => {
  const { lanes: made, sending, answer } = lanes();
  const [first, second] = claimsOf('wh_a', 2);
  made.add([first!]);
  await answer(first!);
  made.add([second!]);
  expect([...sending.keys()]).toEqual([second]);
});

test('busy is who has so many claims, sent or not, each counted by its weight', () => {
  const { lanes: made } = lanes();
  made.add([...claimsOf('wh_a', 60), ...claimsOf('wh_b', 59)]);
  expect(made.busy(60, ({ endpointId }) => endpointId)).toEqual(['wh_a']);
  expect(made.busy(60, ({ workspaceId }) => workspaceId)).toEqual(['ws_0']);
  expect(
    made.busy(
      60,
      ({ endpointId }) => endpointId,
      () => 2,
    ),
  ).toEqual(['wh_a', 'wh_b']);
});
