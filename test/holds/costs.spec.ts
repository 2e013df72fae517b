import { Database } from '../../src/platform/persistence/database';
import { createSpace, plan, WEDDING } from '../support/calendar';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { expectInvalid } from '../support/refusals';
import { act, FAR, patch, place, tryPlace } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let spaceId: string;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  spaceId = (await createSpace(client)).id;
});
afterAll(() => gala.stop());

const RANGE = 'from=2027-06-01&to=2027-06-30';

/** The statements of requests that ask for the holds of a workspace, and for nothing else. */
async function statementsFor(requests: () => Promise<unknown>): Promise<string[]> {
  const spy = jest.spyOn(Database.prototype, 'query');
  await requests();
  const texts = spy.mock.calls.map(([{ text }]) => text);
  spy.mockRestore();
  expect(texts.join()).toMatch(/calendar_events|spaces/);
  const others = /calendar_events|calendar_occupancies|spaces/;
  return texts.filter((text) => /\bhold(s|_\w+)\b.*workspace_id = \$1/s.test(text) && !others.test(text));
}

async function book(): Promise<void> {
  const event = await plan(client, { ...WEDDING, spaceId });
  const path = `/v1/calendar-events/${event.id}`;
  expect((await client.patch(path, { endsAt: '2027-06-13T02:00:00Z' })).status).toBe(200);
  expect((await client.delete(path)).status).toBe(200);
  const visit = { startsAt: '2027-06-10T10:00:00Z', spaceId };
  expect((await client.post(`/v1/leads/${(await createLead(client)).id}/visits`, visit)).status).toBe(201);
}

async function read(): Promise<void> {
  const event = await plan(client, { ...WEDDING, title: 'Party', spaceId });
  expect((await client.get(`/v1/calendar-events/${event.id}`)).status).toBe(200);
  expect((await client.get(`/v1/calendar-events?${RANGE}`)).status).toBe(200);
  expect((await client.get('/v1/calendar-events?from=2031-06-01&to=2031-06-30')).status).toBe(200);
  expect((await client.get(`/v1/availability?${RANGE}`)).status).toBe(200);
  const browser = await workspace.browser();
  expect((await browser.get(`/settings/${workspace.id}/live/calendar?month=2027-06`)).status).toBe(200);
}

test('where there are no holds, bookings and readings of the calendar send no statement for them', async () => {
  expect(await statementsFor(book)).toEqual([]);
  expect(await statementsFor(read)).toEqual([]);
});

test('a booking elsewhere and a reading before anything is due send none either', async () => {
  const { id } = await createSpace(client, { name: 'Barn' });
  await place(client, { ...FAR, spaceId: id });
  expect(await statementsFor(book)).toEqual([]);
  expect(await statementsFor(() => client.get(`/v1/calendar-events?${RANGE}`))).toEqual([]);
});

test('a lead has at most 50 live holds, and a group 20, since they end together', async () => {
  const leadId = (await createLead(client)).id;
  const day = (index: number) => ({
    startsAt: new Date(Date.UTC(2027, 5, 1 + index, 16)).toISOString(),
    endsAt: new Date(Date.UTC(2027, 5, 1 + index, 23)).toISOString(),
  });
  for (let index = 0; index < 50; index++) {
    await place(client, { spaceId, leadId, ...day(index), group: index < 20 ? 'ana' : null });
  }
  expectInvalid(await tryPlace(client, { spaceId, leadId, ...day(50) }), 'leadId');
  expectInvalid(await tryPlace(client, { spaceId, group: 'ana', ...day(50) }), 'group');
  const other = await place(client, { spaceId, ...day(50) });
  expectInvalid(await patch(client, other, { leadId }), 'leadId');
  const [released] = (await client.get(`/v1/holds?leadId=${leadId}&limit=1`)).body.data;
  expect((await act(client, released, 'release')).status).toBe(200);
  expect(await patch(client, other, { leadId })).toMatchObject({ status: 200, body: { leadId } });
});
