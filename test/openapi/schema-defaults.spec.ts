import { uploaded } from '../files/support';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { importFile } from '../imports/support';
import type { Client } from '../support/http-client';
import { holdFields } from '../holds/support';
import { createLead } from '../support/leads';
import { newEmail } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';
import { memberOf } from '../workspaces/people';

/** Generated clients send every parameter that has a default in its schema, whether their callers give it or not. */
type Query = Record<string, string>;

interface Parameter {
  in: string;
  name: string;
  schema: { default?: unknown };
}

let gala: TestGala;
let client: Client;
let lists: Map<string, Query>;

beforeAll(async () => {
  gala = await startGala({ configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] } });
  client = await (await gala.createWorkspace()).client('test');
  const { paths } = (await gala.anonymous.get('/openapi.json')).body as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  };
  lists = new Map(
    Object.entries(paths).flatMap(([path, { get }]) => {
      const parameters = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
      if (!parameters.some(({ name }) => name === 'cursor')) return [];
      const defaults = parameters.filter(({ schema }) => schema.default !== undefined);
      return [[path, Object.fromEntries(defaults.map(({ name, schema }) => [name, String(schema.default)]))]];
    }),
  );
});
afterAll(() => gala.stop());

const event = (day: string) => ({
  type: 'visit',
  title: 'Visit',
  startsAt: `2027-06-${day}T14:00:00Z`,
  endsAt: `2027-06-${day}T15:00:00Z`,
});

/** Where a list is, when its address holds an id, and the parameters that it can't do without. */
interface Place {
  path?: string;
  required?: Query;
}

/** Each puts two items into a list. */
const SEEDS: Record<string, () => Promise<Place>> = {
  '/v1/leads': () => twice(() => ({ email: 'ana@example.com' }), '/v1/leads'),
  '/v1/leads/{id}/activities': async () => {
    const path = `/v1/leads/${(await createLead(client)).id}/activities`;
    await twice(() => ({ type: 'note', text: 'Likes the garden.' }), path);
    return { path };
  },
  '/v1/leads/{id}/duplicates': async () => {
    const { id } = await createLead(client, { email: 'twice@example.com' });
    await twice(() => ({ email: 'twice@example.com' }), '/v1/leads');
    return { path: `/v1/leads/${id}/duplicates` };
  },
  '/v1/leads/{id}/timeline': async () => {
    const { id } = await createLead(client);
    await twice(() => ({ type: 'note', text: 'Likes the garden.' }), `/v1/leads/${id}/activities`);
    return { path: `/v1/leads/${id}/timeline` };
  },
  '/v1/imports': () => twice(() => ({}), '/v1/imports'),
  '/v1/imports/{id}/rows': async () => {
    const jobs = gala.app.get(BackgroundJobs);
    jobs.start();
    const { id } = await importFile(client, 'Email\nana@example.com\nbo@example.com\n');
    await jobs.stop();
    return { path: `/v1/imports/${id}/rows` };
  },
  '/v1/tasks': () => twice(() => ({ title: 'Send the menu' }), '/v1/tasks'),
  '/v1/proposals': async () => {
    const { id: leadId } = await createLead(client);
    return twice(() => ({ leadId, title: 'Wedding' }), '/v1/proposals');
  },
  '/v1/holds': async () => {
    const fields = await holdFields(client);
    return twice(() => fields, '/v1/holds');
  },
  '/v1/calendar-events': async () => {
    await twice((count) => event(`1${count}`), '/v1/calendar-events');
    return { required: { from: '2027-06-01', to: '2027-06-30' } };
  },
  '/v1/spaces': () => twice((count) => ({ name: `Garden ${count}` }), '/v1/spaces'),
  '/v1/messages': async () => {
    const { id: leadId } = await createLead(client, { phone: '+34600111222' });
    const template = { name: 'visit_reminder', language: 'es', variables: ['Ana', 'viernes'] };
    return twice(() => ({ leadId, template }), '/v1/messages');
  },
  '/v1/api-keys': () => twice(() => ({ name: 'Key' }), '/v1/api-keys'),
  '/v1/webhooks': () => twice(() => ({ url: 'http://127.0.0.1:9/hook', events: ['lead.*'] }), '/v1/webhooks'),
  '/v1/webhooks/{id}/deliveries': async () => {
    const { body } = await client.post('/v1/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      events: ['lead.*'],
    });
    await twice(() => undefined, `/v1/webhooks/${body.id}/test`);
    return { path: `/v1/webhooks/${body.id}/deliveries` };
  },
  '/v1/events': async () => {
    // In another workspace, since those of the lists above fill more than a page.
    client = await (await gala.createWorkspace()).client('test');
    return twice(() => ({ email: 'ana@example.com' }), '/v1/leads');
  },
  '/v1/members': async () => {
    const workspace = await gala.createWorkspace();
    for (const _ of [1, 2]) await memberOf(gala, workspace.id, newEmail(), 'member');
    client = await workspace.client('test');
    return {};
  },
  // In the workspace of before, which has no leads.
  '/v1/reports/unanswered': () => twice(() => ({ email: 'ana@example.com' }), '/v1/leads'),
  '/v1/stages': () => twice((count) => ({ key: `stage_${count}`, name: 'Stage' }), '/v1/stages'),
  '/v1/lead-fields': () =>
    twice((count) => ({ key: `field_${count}`, label: 'Field', type: 'text' }), '/v1/lead-fields'),
  '/v1/files': async () => {
    for (const _ of [1, 2]) await uploaded(client);
    return {};
  },
  '/v1/lost-reasons': () => twice((count) => ({ name: `Reason ${count}` }), '/v1/lost-reasons'),
};

/** These are walked by cursor alone: page numbers would need a count of all entries. */
const WITHOUT_PAGES = ['/v1/leads/{id}/timeline'];

async function twice(body: (count: number) => object | undefined, path: string): Promise<Place> {
  for (const count of [1, 2]) {
    const { status, text } = await client.post(path, body(count));
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  }
  return {};
}

async function list(path: string, query: Query) {
  const { status, text, body } = await client.get(`${path}?${new URLSearchParams(query).toString()}`);
  if (status !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${status} ${text}`);
  const items = body.data as { id?: string; key?: string; leadId?: string }[];
  const ids = items.map(({ id, key, leadId }) => id ?? key ?? leadId);
  return { ids, cursor: body.pagination.nextCursor };
}

test('every list is walked here', () => {
  expect([...lists.keys()].sort()).toEqual(Object.keys(SEEDS).sort());
});

test.each(Object.keys(SEEDS))(
  '%s with all defaults of its schema is what it is without, behind a cursor too',
  async (template) => {
    const defaults = lists.get(template)!;
    expect(defaults).toMatchObject(WITHOUT_PAGES.includes(template) ? { limit: '20' } : { page: '1' });
    const { path = template, required = {} } = await SEEDS[template]!();
    const { ids } = await list(path, required);
    expect(ids.length).toBeGreaterThan(1);
    expect((await list(path, { ...required, ...defaults })).ids).toEqual(ids);
    for (const first of [{}, { ...defaults }]) {
      const { cursor } = await list(path, { ...required, ...first, limit: '1' });
      expect((await list(path, { ...required, ...defaults, cursor })).ids).toEqual(ids.slice(1));
    }
  },
);
