import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  build,
  freePort,
  type GalaProcess,
  type ProcessOptions,
  ROOT,
  WorkingDirectory,
} from '../support/gala-process';
import { Client } from '../support/http-client';
import { WebhookReceiver } from '../support/webhook-receiver';
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver';

jest.setTimeout(300_000);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const traced = { headers: { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'a-request-of-ours' } };

let directory: WorkingDirectory;
let collector: OtlpReceiver;
let endpoint: string;
let spy: string;
beforeAll(build, 120_000);
beforeEach(async () => {
  directory = new WorkingDirectory();
  collector = new OtlpReceiver();
  endpoint = await collector.start();
  spy = join(directory.path, 'spy.cjs');
  // Their interface alone is loaded in any case: by the metrics.
  const list = 'Object.keys(require.cache).filter((file) => /@opentelemetry.(?!api.)/.test(file))';
  const file = JSON.stringify(join(directory.path, 'loaded.json'));
  writeFileSync(
    spy,
    `process.on('exit', () => require('node:fs').writeFileSync(${file}, JSON.stringify(${list})));`,
  );
});
afterEach(async () => {
  collector.stop();
  await directory.clear();
});

const serve = (options: ProcessOptions) => directory.start(['serve'], options);

async function start(env: Record<string, string>, spawn = serve) {
  const port = await freePort();
  const all = { PORT: String(port), NODE_OPTIONS: `--require ${spy}`, ...env };
  const gala = await spawn({ env: all }).isUp();
  const key = /gala_test_\w+/.exec(gala.stdout)![0];
  return { gala, client: new Client(`http://127.0.0.1:${port}`, key) };
}

const modulesLoaded = () => JSON.parse(readFileSync(join(directory.path, 'loaded.json'), 'utf8')) as string[];
const spansNamed = (name: string) => collector.spans.filter((span) => span.name === name);
const childrenOf = ({ spanId }: ReceivedSpan) =>
  collector.spans.filter(({ parentId }) => parentId === spanId);
const logOf = ({ stdout }: GalaProcess) =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('requests, their queries and calls to others are traced, without anything secret', async () => {
  const receiver = await WebhookReceiver.start();
  const { gala, client } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const url = `${receiver.url}/secret-of-a-path?key=secret-of-a-query`;
  expect((await client.post('/v1/webhooks', { url, events: ['lead.created'] })).status).toBe(201);
  const lead = { name: 'secret-name', email: 'secret-person@example.com' };
  const created = await client.post('/v1/leads', lead, traced);
  expect(created.status).toBe(201);
  await client.get('/v1/leads?q=secret-search');
  await client.get('/v1/calendar.ics?token=secret-of-a-feed');
  await client.get('/proposals/secret-of-a-link');
  await client.get('/nowhere/secret-of-nothing');
  await client.get('/health/live');
  await receiver.got(1);
  await gala.stop();
  await receiver.stop();

  const [request] = spansNamed('POST /v1/leads');
  expect(request).toMatchObject({
    service: 'gala',
    traceId: TRACE,
    parentId: PARENT,
    kind: 'server',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/leads',
      'http.response.status_code': 201,
      'gala.request_id': 'a-request-of-ours',
    },
  });
  const queries = childrenOf(request!);
  expect(queries.length).toBeGreaterThan(0);
  for (const query of queries) expect(query).toMatchObject({ kind: 'client', traceId: TRACE });
  const texts = queries.map(({ attributes }) => String(attributes['db.query.text']));
  expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/INSERT INTO.*\$1/s)]));

  const [call] = spansNamed('POST webhook');
  expect(call).toMatchObject({
    kind: 'client',
    parentId: '',
    attributes: { 'server.address': '127.0.0.1', 'url.scheme': 'http', 'http.response.status_code': 204 },
  });
  expect(receiver.received[0]!.headers).not.toHaveProperty('traceparent');

  expect(spansNamed('GET /v1/calendar.ics')).toHaveLength(1);
  expect(spansNamed('GET /proposals/:token')).toHaveLength(1);
  expect(collector.spans.filter(({ name }) => name.includes('health'))).toEqual([]);
  expect(collector.spans.filter(({ name, parentId }) => name.startsWith('pg.') && !parentId)).toEqual([]);
  expect(collector.raw.match(/[\w/.-]*(secret-|gala_test_)[\w-]*/g)).toBeNull();
  expect(logOf(gala).find(({ requestId }) => requestId === 'a-request-of-ours')).toMatchObject({
    traceId: TRACE,
  });
  expect(modulesLoaded().length).toBeGreaterThan(0);
});

test('each policy has a span of its own in the trace of its request', async () => {
  const main = join(directory.path, 'main.cjs');
  writeFileSync(
    main,
    `const { LeadPolicies, startService } = require(${JSON.stringify(join(ROOT, 'dist/src/extension'))});
     const { Module } = require(${JSON.stringify(require.resolve('@nestjs/common', { paths: [ROOT] }))});
     class Policies {
       constructor(leads) {
         leads.add({ name: 'first', beforeCreate: async () => ({ source: 'traced' }) });
         leads.add({ name: 'second', beforeCreate: async () => undefined });
       }
     }
     Reflect.defineMetadata('design:paramtypes', [LeadPolicies], Policies);
     Module({})(Policies);
     startService({ extensions: [{ module: Policies }] });`,
  );
  const { gala, client } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, (options) =>
    directory.spawn(process.execPath, [main], options),
  );
  const created = await client.post('/v1/leads', { email: 'ana@example.com' }, traced);
  expect(created).toMatchObject({ status: 201, body: { source: 'traced' } });
  await gala.stop();
  const [request] = spansNamed('POST /v1/leads');
  const steps = childrenOf(request!).filter(({ name }) => name.startsWith('lead policy'));
  expect(steps.map(({ name }) => name).sort()).toEqual(['lead policy first', 'lead policy second']);
  for (const step of steps) expect(step).toMatchObject({ kind: 'other', traceId: TRACE });
});

test('workers trace too, with variables of .env, under the name that the operator gives', async () => {
  const settings = [`OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`, 'OTEL_SERVICE_NAME=venue', 'WORKERS=2'];
  writeFileSync(join(directory.path, '.env'), settings.join('\n'));
  const { gala, client } = await start({});
  expect((await client.get('/v1/me', traced)).status).toBe(200);
  await gala.stop();
  expect(spansNamed('GET /v1/me')).toMatchObject([{ service: 'venue', traceId: TRACE, parentId: PARENT }]);
});

test('a collector that is away costs no request, and keeps nothing from ending', async () => {
  collector.stop();
  const { gala, client } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  expect((await client.get('/v1/me', traced)).status).toBe(200);
  expect(await gala.stop()).toMatchObject({ code: 0 });
  expect(gala.stderr).toMatch(/^Tracing: /m);
});

test('without the variables nothing of OpenTelemetry is even loaded', async () => {
  const { gala, client } = await start({ OTEL_SERVICE_NAME: 'venue' });
  expect((await client.get('/v1/me', traced)).status).toBe(200);
  await gala.stop();
  expect(existsSync(join(directory.path, 'loaded.json'))).toBe(true);
  expect(modulesLoaded()).toEqual([]);
  expect(logOf(gala).filter((line) => 'traceId' in line)).toEqual([]);
  expect(collector.spans).toEqual([]);
});
