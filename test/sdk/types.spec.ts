import { loyalty } from '../../examples/loyalty/src/loyalty';
import { createDataSource } from '../../ormconfig';
import { migrate } from '../../src/platform/persistence/migrate';
import { blocksOf } from '../docs/markdown';
import { createDatabase } from '../support/database';
import { startGala } from '../support/start-gala';
import { SdkProject } from './build-sdk';

jest.setTimeout(120_000);

let project: SdkProject;
beforeAll(async () => {
  const extensions = [loyalty];
  const database = await createDatabase();
  const { url } = database;
  await migrate(url, [() => createDataSource({ url, extensions, poolSize: 1 })]);
  const [own, extended] = [
    await startGala({ databaseUrl: url }),
    await startGala({ databaseUrl: url, extensions }),
  ];
  project = new SdkProject((await own.anonymous.get('/openapi.json')).text);
  project.makeTypes((await extended.anonymous.get('/openapi.json')).text, 'service.ts');
  await own.stop();
  await extended.stop();
  await database.drop();
});
afterAll(() => project.remove());

const WITH_EXTENSION = `
import { Gala, type GalaEvent, type ItemOf, type ListPath, verifyWebhook } from '@gala/sdk';
import type { paths, webhooks } from './service.js';
const gala = new Gala<paths>({ baseUrl: '', token: '' });
const id = '';
`;
const PLAIN = `
import { Gala, type GalaEvent, type ItemOf, verifyWebhook } from '@gala/sdk';
const gala = new Gala({ baseUrl: '', token: '' });
const id = '';
`;

const RIGHT = {
  'calls and lists of an extension’s routes': `${WITH_EXTENSION}
export async function redeem() {
  const { points } = await gala.post('/v1/loyalty-accounts/{id}/redeem', {
    params: { path: { id } },
    body: { points: 5 },
  });
  for await (const account of gala.list('/v1/loyalty-accounts', { params: { query: { email: '' } } })) {
    account.points.toFixed();
  }
  const place: ListPath<paths> = '/v1/loyalty-accounts';
  const client = (account: ItemOf<'/v1/loyalty-accounts', paths>): string => account.email;
  return [points.toFixed(), place, client];
}`,
  'calls of Gala’s own routes with the types of an extension': `${WITH_EXTENSION}
export async function move() {
  const lead = await gala.post('/v1/leads', { body: { email: 'a@b.cz', guests: null } });
  return gala.patch('/v1/leads/{id}', { params: { path: { id: lead.id } }, body: { stage: 'lost' } });
}`,
  'an extension’s events': `${WITH_EXTENSION}
export function points(event: GalaEvent<webhooks>): number {
  if (event.type === 'lead.created') return event.data.guests ?? 0;
  return event.type === 'loyalty_account.points_earned' ? event.data.points : 0;
}
const received = verifyWebhook<webhooks>('', {}, '');
export const earned = received.type === 'loyalty_account.points_earned' && points(received) + received.data.points;`,
  'verified events, each with its data': `${PLAIN}
export function words(event: GalaEvent): string {
  switch (event.type) {
    case 'lead.stage_changed':
      return event.data.stage.toUpperCase();
    case 'proposal.accepted':
      return String(event.data.acceptance?.name);
    case 'contact.opted_out':
      return event.data.phone ?? '';
    case 'app.installed':
      return event.data.appName;
    case 'webhook.test':
      return event.data.url;
    default:
      return event.id;
  }
}
export const received = words(verifyWebhook('', new Headers(), new Uint8Array()));`,
  'events of a list': `${PLAIN}
export async function stages() {
  for await (const event of gala.list('/v1/events')) {
    if (event.type === 'lead.created') event.data.email.trim();
  }
  const item = (event: ItemOf<'/v1/events'>) => event.type === 'api_key.revoked' && event.data.last4;
  return item;
}`,
};

const WRONG = {
  'an extension’s route without its types': `${PLAIN}void gala.get('/v1/loyalty-accounts/{id}', { params: { path: { id } } });`,
  'an unknown route with its types': `${WITH_EXTENSION}void gala.get('/v1/loyalty-cards');`,
  'a body that the extension refuses': `${WITH_EXTENSION}void gala.post('/v1/loyalty-accounts/{id}/redeem', { params: { path: { id } }, body: { points: '5' } });`,
  'a list of the extension that is none': `${WITH_EXTENSION}void gala.list('/v1/loyalty-programme');`,
  'a lead’s field in an event of any type': `${PLAIN}export const email = (event: GalaEvent) => event.data.email;`,
  'a field of another type’s data': `${PLAIN}export const email = (event: GalaEvent) => event.type === 'api_key.created' && event.data.email;`,
  'an unknown field of the data': `${PLAIN}export const budget = (event: GalaEvent) => event.type === 'lead.created' && event.data.budget;`,
  'an unknown event type': `${PLAIN}export const isWon = (event: GalaEvent) => event.type === 'lead.won';`,
  'a field of another type’s data in a list': `${PLAIN}export const stage = (event: ItemOf<'/v1/events'>) => event.type === 'message.sent' && event.data.stage;`,
};

test('the guide’s example for extensions compiles, with types that the command beside it makes', () => {
  const block = (kind: string) => blocksOf('docs/guides/sdk.md').find(({ info }) => info === kind)!.code;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- its version alone
  const [major] = require('openapi-typescript/package.json').version.split('.');
  expect(block('sh types')).toBe(`npx openapi-typescript@${major} "$GALA_URL/openapi.json" -o service.ts\n`);
  expect(project.compile({ 'guide.mts': block('typescript extension') })).toEqual({ 'guide.mts': '' });
});

test('the compiler takes what a service with an extension and its events have, and refuses what they don’t', () => {
  const programs = (cases: Record<string, string>, kind: string) =>
    Object.entries(cases).map(([name, text], index) => ({ name, text, file: `${kind}-${index}.mts` }));
  const [right, wrong] = [programs(RIGHT, 'right'), programs(WRONG, 'wrong')];
  const complaints = project.compile(
    Object.fromEntries([...right, ...wrong].map(({ file, text }) => [file, text])),
  );
  expect(right.map(({ name, file }) => [name, complaints[file]])).toEqual(
    Object.keys(RIGHT).map((name) => [name, '']),
  );
  expect(wrong.filter(({ file }) => !complaints[file]).map(({ name }) => name)).toEqual([]);
  expect(Object.values(complaints).join()).not.toContain('Cannot find module');
});
