import { setImmediate as settled } from 'node:timers/promises';
import { RateLimited } from '../../../kernel/errors';
import { newId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { CalendarFeed, FeedContents } from '../application/feed-contents';
import { FeedBodies } from './feed-bodies';

interface Reading {
  finish(version: string): void;
}

let readings: Reading[];
let bodies: FeedBodies;
beforeEach(() => {
  readings = [];
  bodies = new FeedBodies({
    version: () => Promise.resolve('now'),
    read: (ref: WorkspaceRef, work: (feed: CalendarFeed) => Promise<unknown>) =>
      new Promise((resolve) =>
        readings.push({
          finish: (version) =>
            resolve(work({ ref, version, workspaceName: '', timeZone: 'UTC', pages: none() })),
        }),
      ),
  } as unknown as FeedContents);
});

async function* none() {
  // A calendar without events.
}
const calendar = (): WorkspaceRef => ({ workspaceId: newId('ws'), mode: 'live' });

test('two feeds are built at once, a hundred wait, and who comes then is told when to come back', async () => {
  const all = Array.from({ length: 102 }, () => bodies.get(calendar(), 'now'));
  await settled();
  expect(readings).toHaveLength(2);
  await expect(bodies.get(calendar(), 'now')).rejects.toEqual(new RateLimited(10));
  while (readings.length > 0) {
    for (const reading of readings.splice(0)) reading.finish('now');
    await settled();
    await settled();
  }
  expect((await Promise.all(all)).map(({ version }) => version)).toEqual(Array(102).fill('now'));
});

test('all who ask for a calendar at once share one build and take up one turn', async () => {
  const ref = calendar();
  const all = Array.from({ length: 200 }, () => bodies.get(ref, 'now'));
  await settled();
  readings[0]!.finish('now');
  const contents = (await Promise.all(all)).map(({ content }) => content);
  expect(new Set(contents).size).toBe(1);
  expect(readings).toHaveLength(1);
});

test('what was built too early for those who came meanwhile is built again for them, once', async () => {
  const ref = calendar();
  const early = bodies.get(ref, 'now');
  await settled();
  const late = [bodies.get(ref, 'now'), bodies.get(ref, 'now')];
  readings[0]!.finish('before');
  expect((await early).version).toBe('before');
  while (readings.length < 2) await settled();
  readings[1]!.finish('now');
  expect((await Promise.all(late)).map(({ version }) => version)).toEqual(['now', 'now']);
  expect(readings).toHaveLength(2);
});
