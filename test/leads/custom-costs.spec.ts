import { waitForExpiry } from '../../src/kernel/short-lived-cache';
import { Database } from '../../src/platform/persistence/database';
import { addField } from '../support/fields';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let client: Client;
let path: string;
beforeAll(async () => {
  gala = await startGala();
  client = await (await gala.createWorkspace()).client();
  path = `/v1/leads/${(await createLead(client)).id}`;
});
afterAll(() => gala.stop());

/** The statements of a request, with nothing in memory, that ask for custom fields: `alone`, or with assignment. */
async function statementsFor(request: () => Promise<unknown>): Promise<string[]> {
  await waitForExpiry();
  const spy = jest.spyOn(Database.prototype, 'query');
  await request();
  const texts = spy.mock.calls.map(([{ text }]) => text);
  spy.mockRestore();
  expect(texts.join()).toContain('leads');
  return texts
    .filter((text) => /FROM "?lead_fields\b/.test(text) && !text.includes('"leads"'))
    .map((text) => (text.includes('lead_assignments') ? 'with assignment' : 'alone'));
}

const create = () => createLead(client);
const get = () => client.get(path);
const change = () => client.patch(path, { guests: Math.ceil(Math.random() * 1e5) });

test('where there are none, no statement asks for them that wouldn’t be sent anyway', async () => {
  expect(await statementsFor(create)).toEqual(['with assignment']);
  expect(await statementsFor(get)).toEqual([]);
  expect(await statementsFor(change)).toEqual([]);
});

test('in a workspace with fields they are read, and then known for a while', async () => {
  await addField(client, 'room');
  expect(await statementsFor(create)).toEqual(['with assignment', 'alone']);
  expect(await statementsFor(get)).toEqual(['alone']);
  expect(await statementsFor(change)).toEqual(['alone']);
  expect(await statementsFor(async () => [await get(), await get()])).toEqual(['alone']);
});
