import { uploaded } from '../files/support';
import http from 'node:http';
import { Readable } from 'node:stream';
import { OPERATOR } from '../../src/kernel/actor';
import { RunImport } from '../../src/modules/imports';
import { connect } from '../messages/whatsapp-support';
import { cpuTimeOf } from '../support/cpu-time';
import { addField } from '../support/fields';
import type { WorkspaceId } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { RequestSchemas } from '../support/request-bodies';
import { startGala, type TestGala } from '../support/start-gala';
import { newWamid, seconds, WhatsAppServer } from '../support/whatsapp-server';

/** Of processor time, for one request. */
const LIMIT_MS = 150;
const BOUNDS = { usualMs: 50, limitMs: LIMIT_MS };
const ITEMS = 100;
const PHONE = '34600123456';
const FIVE_MINUTES = 300_000;

jest.setTimeout(FIVE_MINUTES);

let whatsApp: WhatsAppServer;
let gala: TestGala;
let client: Client;
let lists: { name: string; path: string }[];
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({ configuration: { whatsAppApiUrl: whatsApp.url } });
  const workspace = await gala.createWorkspace();
  client = await workspace.client();
  const callbacks = await connect(gala, workspace);
  const document = (await gala.anonymous.get('/openapi.json')).body;
  const endpoint = await client.post('/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] });
  const { body: ana } = await client.post('/v1/leads', { email: 'ana@example.com', phone: `+${PHONE}` });
  const space = await client.post('/v1/spaces', { name: 'Garden' });
  const imp = await importMany(workspace.id);
  const { id: file } = await uploaded(client);
  const ids = { lead: ana.id, wh: endpoint.body.id, space: space.body.id, imp, file };
  const schemas = new RequestSchemas(document, ids);
  const largest = (name: string) =>
    schemas.largest(schemas.bodyOperations().find((operation) => operation.name === name)!.schema);
  for (let times = 0; times < 2; times++) {
    const text = { body: '😀'.repeat(4096) };
    const messages = Array.from({ length: ITEMS / 2 }, () => ({
      ...{ id: newWamid(), from: PHONE, timestamp: seconds(), type: 'text', text },
    }));
    expect((await callbacks.post({ messages })).status).toBe(200);
  }
  const event = JSON.parse(largest('POST /v1/calendar-events'));
  const { externalId: _, ...activity } = JSON.parse(largest('POST /v1/leads/{id}/activities'));
  await fill(`/v1/leads/${ids.lead}/activities`, () => JSON.stringify(activity));
  const task = { ...JSON.parse(largest('POST /v1/tasks')), assigneeId: null };
  await fill('/v1/tasks', () => JSON.stringify(task));
  await fill('/v1/calendar-events', () => JSON.stringify({ ...event, type: 'hold' }));
  // Last, so that the newest events are the largest.
  const { body: reason } = await client.post('/v1/lost-reasons', { name: 'Over budget' });
  const lost = { stage: 'lost', lostReasonId: reason.id, ownerId: null, externalId: null };
  const keys = Array.from({ length: 100 }, (_, number) => `field_${number}`.padEnd(40, '_'));
  await Promise.all(keys.map((key) => addField(client, key, { type: 'long_text' })));
  const custom = { [keys[0]!]: '"'.repeat(2000), [keys[1]!]: 'x'.repeat(4000) };
  const lead = () => JSON.stringify({ ...JSON.parse(largest('POST /v1/leads')), ...lost, custom });
  await fill('/v1/leads', lead);
  await fill('/v1/proposals', () => largest('POST /v1/proposals'));
  lists = schemas.operations().filter(({ method, operation }) => {
    const names = schemas.parametersOf(operation).map(({ name }) => name);
    return method === 'GET' && names.includes('limit');
  });
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});

/** As many rows as a page has, and other imports whose files have as many columns as can be, with long cells. */
async function importMany(workspaceId: WorkspaceId): Promise<string> {
  const imports = gala.app.get(RunImport, { strict: false });
  const ref = { workspaceId, mode: 'live' } as const;
  const columns = Array.from({ length: 499 }, (_, index) => `Column ${index}`);
  const cells = columns.map(() => 'x'.repeat(200)).join(',');
  const rows = Array.from({ length: ITEMS }, (_, index) => `row${index}@example.com,${cells}\n`);
  const lines = [`Email,${columns.join(',')}\n`, ...rows].map((line) => Buffer.from(line));
  const check = () => imports.check(ref, OPERATOR, {}, Readable.from(lines));
  for (let count = 0; count < 10; count++) await check();
  const { id } = await check();
  expect(await imports.start(ref, id, () => undefined)).toMatchObject({ created: ITEMS });
  return id;
}

async function fill(path: string, body: () => string): Promise<void> {
  for (let count = 0; count < ITEMS; count++) {
    const { status, text } = await client.post(path, body());
    expect({ status, text: status === 201 ? '' : text.slice(0, 500) }).toEqual({ status: 201, text: '' });
  }
}

/** The answer's status and size, unparsed: the client’s work is none of the service’s. */
function ask(path: string): Promise<{ status: number; bytes: number }> {
  const { hostname, port } = new URL(gala.baseUrl);
  const headers = { Authorization: `Bearer ${client.key}` };
  return new Promise((resolve, reject) => {
    http
      .get({ hostname, port, path, headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.on('end', () => resolve({ status: response.statusCode!, bytes }));
      })
      .on('error', reject);
  });
}

test('the largest page that each list gives', async () => {
  const costs: { name: string; ms: number; bytes: number }[] = [];
  for (const { name, path } of lists) {
    const range = path.endsWith('/calendar-events') ? '&from=2027-01-01&to=2027-12-31' : '';
    let bytes = 0;
    const ms = await cpuTimeOf(async () => {
      const answer = await ask(`${path}?limit=${ITEMS}${range}`);
      expect({ name, status: answer.status }).toEqual({ name, status: 200 });
      bytes = answer.bytes;
    }, BOUNDS);
    costs.push({ name, ms, bytes });
  }
  const told = costs.map(
    ({ name, ms, bytes }) => `${name}: ${ms.toFixed()} ms, ${(bytes / 1024).toFixed()} KiB`,
  );
  console.info(told.join('\n'));
  expect(costs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /v1/leads', 'GET /v1/proposals', 'GET /v1/events', 'GET /v1/messages']),
  );
  expect(costs.filter(({ ms }) => ms > LIMIT_MS)).toEqual([]);
});
