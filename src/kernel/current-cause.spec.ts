import { setTimeout as sleep } from 'node:timers/promises';
import type { Cause } from './cause';
import { causedBy, causedByCaller, currentCause, nameCause } from './current-cause';

const KEY: Cause = { type: 'api_key', id: 'key_1' };
const CLIENT: Cause = { type: 'client', id: 'lead_1' };
const SYSTEM = { type: 'system', id: null };

test('work that nobody asked for is caused by the system, and naming a cause changes nothing there', () => {
  expect(currentCause()).toEqual(SYSTEM);
  nameCause(KEY);
  expect(currentCause()).toEqual(SYSTEM);
});

test('a cause lasts as long as the work, and the innermost counts', async () => {
  const seen = await causedBy(KEY, async () => {
    const before = currentCause();
    const within = await causedBy(CLIENT, async () => {
      await sleep(1);
      return currentCause();
    });
    return [before, within, currentCause()];
  });
  expect(seen).toEqual([KEY, CLIENT, KEY]);
  expect(currentCause()).toEqual(SYSTEM);
});

test('requests at the same time have the causes that each of them names', async () => {
  const ids = Array.from({ length: 20 }, (_, number) => `key_${number}`);
  const request = (id: string) =>
    new Promise<unknown[]>((resolve) => {
      causedByCaller(() => {
        const handle = async () => {
          const before = currentCause();
          await sleep(1);
          nameCause({ type: 'api_key', id });
          await sleep(1);
          return [before, currentCause()];
        };
        void handle().then(resolve);
      });
    });
  expect(await Promise.all(ids.map(request))).toEqual(ids.map((id) => [SYSTEM, { type: 'api_key', id }]));
});

test('a named cause holds nothing else of what names it', () => {
  const credential = { ...KEY, name: 'Website', scopes: [] };
  causedByCaller(() => {
    nameCause(credential);
    expect(currentCause()).toEqual(KEY);
  });
});
