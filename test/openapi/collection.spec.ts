import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import Ajv from 'ajv';
import type { Collection } from '../../src/platform/openapi/collection';
import { build, ROOT, WorkingDirectory } from '../support/gala-process';
import { type Answer, Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { operationsOf } from './schema-validator';

jest.setTimeout(120_000);

type Item = Collection['item'][number]['item'][number];

let gala: TestGala;
let collection: Collection;
let items: Item[];
let key: string;
beforeAll(async () => {
  gala = await startGala();
  key = await (await gala.createWorkspace()).key('test');
  const answer = await gala.anonymous.get('/docs/gala.postman_collection.json');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  collection = answer.body;
  items = collection.item.flatMap(({ item }) => item);
});
afterAll(() => gala.stop());

const text = { type: 'string' };
const object = (required: string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });
const keyValue = object(['key', 'value'], {
  key: text,
  value: text,
  description: text,
  disabled: { const: true },
});
const bearer = object(['key'], { key: text, value: text, type: text });
const auth = {
  oneOf: [
    object(['type'], { type: { const: 'noauth' } }),
    object(['type', 'bearer'], { type: { const: 'bearer' }, bearer: list(bearer) }),
  ],
};
/** What we use of https://schema.getpostman.com/collection/json/v2.1.0, and nothing else. */
const FORMAT = object(['info', 'item', 'auth', 'event', 'variable'], {
  info: object(['name', 'schema'], {
    name: text,
    description: text,
    version: text,
    schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  }),
  auth,
  event: list(
    object(['listen', 'script'], {
      listen: { const: 'test' },
      script: object(['type', 'exec'], { type: { const: 'text/javascript' }, exec: list(text) }),
    }),
  ),
  variable: list(keyValue),
  item: list(
    object(['name', 'item'], {
      name: text,
      description: text,
      item: list(
        object(['name', 'request'], {
          name: text,
          request: object(['method', 'url', 'header'], {
            method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
            description: text,
            auth,
            url: object(['raw', 'host', 'path'], {
              raw: text,
              host: list(text),
              path: list(text),
              query: list(keyValue),
              variable: list(keyValue),
            }),
            header: list(keyValue),
            body: object(['mode', 'raw'], { mode: { const: 'raw' }, raw: text, options: { type: 'object' } }),
          }),
        }),
      ),
    }),
  ),
});

/** Sends a request as the programs do that import it. */
function send({ request }: Item, variables: Record<string, string> = {}): Promise<Answer> {
  const values: Record<string, string> = {
    ...Object.fromEntries(collection.variable.map((each) => [each.key, each.value])),
    ...{ baseUrl: gala.baseUrl, apiKey: key },
    ...variables,
  };
  const fill = (template: string) => template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!);
  const { auth: way = collection.auth, url, header, body } = request;
  const path = url.path.map((segment) => {
    if (!segment.startsWith(':')) return segment;
    const name = segment.slice(1);
    return variables[name] ?? fill(url.variable!.find((each) => each.key === name)!.value);
  });
  const query = new URLSearchParams();
  for (const each of url.query ?? []) if (!each.disabled) query.append(each.key, each.value);
  const target = new URL(`${fill(url.host.join('.'))}/${path.join('/')}`);
  target.search = query.toString();
  const headers = Object.fromEntries(
    header.filter(({ disabled }) => !disabled).map((each) => [each.key, fill(each.value)]),
  );
  if (way.type === 'bearer') headers.Authorization = `Bearer ${fill(way.bearer[0]!.value)}`;
  return new Client(target.origin).request(
    request.method,
    target.pathname + target.search,
    body && fill(body.raw),
    {
      headers,
    },
  );
}

const named = (name: string) => items.find((item) => item.name === name)!;

test('is of the format that it says it is', () => {
  const validate = new Ajv({ allErrors: true }).compile(FORMAT);
  validate(collection);
  expect(validate.errors).toBeNull();
  expect(new Set(items.map(({ name }) => name)).size).toBe(items.length);
  for (const { request } of items) {
    const [address, sent = ''] = request.url.raw.split('?');
    expect(address).toBe(`{{baseUrl}}/${request.url.path.join('/')}`);
    const query = (request.url.query ?? []).filter(({ disabled }) => !disabled);
    expect([...new URLSearchParams(sent)]).toEqual(query.map((each) => [each.key, each.value]));
  }
});

const withExamples = (template: string) =>
  template.replace(
    /\{\{(\w+)\}\}/g,
    (_, name: string) => collection.variable.find((each) => each.key === name)!.value,
  );

test('has every operation of openapi.json, in the folder of its tag, with all that it takes', async () => {
  const document = (await gala.anonymous.get('/openapi.json')).body;
  const expected = operationsOf(document).map(({ path, method, operation }) => {
    const parameters: { $ref?: string; name: string }[] = operation.parameters ?? [];
    const names = parameters.map(({ $ref, name }) => $ref?.split('/').at(-1) ?? name);
    return {
      folder: operation.tags[0],
      line: `${method.toUpperCase()} ${path}`,
      parameters: names.sort(),
      body: operation.requestBody?.content['application/json'].example,
      isOpen: operation.security.length === 0,
    };
  });
  const found = collection.item.flatMap(({ name: folder, item }) =>
    item.map(({ request: { method, url, header, auth: way, body } }) => ({
      folder,
      line: `${method} /${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`,
      parameters: [...(url.query ?? []), ...(url.variable ?? []), ...header]
        .map((each) => each.key)
        .filter((name) => name !== 'Content-Type')
        .sort(),
      body: body && JSON.parse(withExamples(body.raw)),
      isOpen: way?.type === 'noauth',
    })),
  );
  expect(found).toHaveLength(expected.length);
  expect(found).toEqual(expect.arrayContaining(expected));
});

test('every request of it is understood by the service, whose address it brings along', async () => {
  expect(collection.variable.find(({ key: name }) => name === 'baseUrl')!.value).toBe(
    'http://localhost:3000',
  );
  const wrong: string[] = [];
  for (const item of items) {
    const { status, text: answered } = await send(item);
    const isOfApp = item.request.auth?.type === 'noauth' && item.request.method === 'POST';
    // Ids in examples are nobody's, and so are apps; whatever else the service says against an example is a fault.
    const isRight =
      status === 200 ||
      status === 201 ||
      (isOfApp ? status === 401 : /no such|"field":"\w+Id"/i.test(answered));
    if (!isRight) wrong.push(`${item.name}: ${status} ${answered}`);
  }
  expect(wrong).toEqual([]);
});

test('run from beginning to end, it acts on what it has created: nothing is a 404', async () => {
  const variables: Record<string, string> = {};
  const script = collection.event[0].script.exec.join('\n');
  const statuses: Record<string, number> = {};
  for (const item of items) {
    const answer = await send(item, variables);
    statuses[item.name] = answer.status;
    const pm = {
      response: { code: answer.status, json: () => answer.body },
      collectionVariables: { set: (name: string, value: string) => (variables[name] = value) },
    };
    runInNewContext(script, { pm });
  }
  const withStatus = (status: number) => Object.keys(statuses).filter((name) => statuses[name] === status);
  // Its token is shown to people alone.
  expect(withStatus(404)).toEqual(['Subscribe to the calendar']);
  expect(withStatus(401)).toHaveLength(3);
  // Of a draft there is no other version, and so on: each needs something that a person or a client does first.
  expect(withStatus(422).length).toBeLessThan(10);
});

test('a lead is made, found, changed and archived with nothing but the id filled in', async () => {
  const created = await send(named('Create a lead'));
  expect(created.status).toBe(201);
  const variables = { id: created.body.id as string };
  expect((await send(named('Get a lead'), variables)).body.id).toBe(variables.id);
  expect((await send(named('Update a lead'), variables)).status).toBe(200);
  expect((await send(named('List leads'))).body.data[0]).toMatchObject(variables);
  expect((await send(named('Archive a lead'), variables)).status).toBe(200);
});

test('npm run collection writes the same without a service', async () => {
  build();
  const folder = new WorkingDirectory();
  try {
    const script = join(ROOT, 'scripts/export-collection.js');
    await promisify(execFile)(process.execPath, [script], { cwd: folder.path });
    const written = JSON.parse(readFileSync(join(folder.path, 'gala.postman_collection.json'), 'utf8'));
    expect(written).toEqual(collection);
  } finally {
    await folder.clear();
  }
});
