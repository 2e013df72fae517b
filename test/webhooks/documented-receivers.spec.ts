import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import { freePort, ROOT } from '../support/gala-process';
import { isMissing } from '../support/requirements';
import { startGala, type TestGala } from '../support/start-gala';
import { until } from '../support/until';

const DOCUMENTED_PORT = '8080';
const page = readFileSync(join(ROOT, 'docs/guides/webhooks.md'), 'utf8');

let gala: TestGala;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gala-receivers-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  gala = await startGala({ configuration: { webhookAllowedNetworks: ['127.0.0.0/8'] } });
  gala.app.get(BackgroundJobs).start();
});
afterAll(async () => {
  await gala.stop();
  rmSync(folder, { recursive: true });
});

/** Writes the page's program in that language into a file, changed in nothing but its port. */
function documented(language: string, fileName: string, port: number): string {
  const program = new RegExp(`^\`\`\`${language} receiver\\n(.*?)^\`\`\`$`, 'ms').exec(page)![1]!;
  expect(program).toContain(DOCUMENTED_PORT);
  const file = join(folder, fileName);
  writeFileSync(file, program.replace(DOCUMENTED_PORT, String(port)));
  return file;
}

function outputOf(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return () => output;
}

test.each([
  ['js', process.execPath, 'receiver.mjs'] as const,
  ...(isMissing('python3') ? [] : [['python', 'python3', 'receiver.py'] as const]),
])('the receiver in %s takes what is genuine, and nothing else', async (language, command, fileName) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hooks/gala`;
  const client = await (await gala.createWorkspace()).client('test');
  const { body: endpoint } = await client.post('/v1/webhooks', { url, events: ['lead.created'] });
  const child = spawn(command, [documented(language, fileName, port)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, WEBHOOK_SECRET: endpoint.secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child);
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(url, { method: 'POST', body, headers })).status;
  try {
    await until(
      () =>
        post('{}', {}).then(
          () => true,
          () => false,
        ),
      () => `the receiver to listen. It said:\n${output()}`,
    );

    const { body: lead } = await client.post('/v1/leads', { email: 'ana@example.com', name: 'Zoë 😀' });
    const deliveries = `/v1/webhooks/${endpoint.id}/deliveries`;
    await until(
      async () => (await client.get(deliveries)).body.data[0]?.status === 'succeeded',
      () => `a delivery to succeed. The receiver said:\n${output()}`,
    );
    const { body: log } = await client.get(deliveries);
    expect(log.data[0].attempts).toMatchObject([{ responseStatus: 204 }]);
    expect(output()).toContain(`lead.created ${lead.id}`);

    const body = JSON.stringify({ type: 'lead.created', data: { id: 'lead_1' } });
    const signed = (secret: string, at: Date) => ({
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    });
    const now = new Date();
    const genuine = signed(endpoint.secret, now);
    expect(await post(body, genuine)).toBe(204);
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    const twice = `${signed(other, now)['webhook-signature']} ${genuine['webhook-signature']}`;
    expect(await post(body, { ...genuine, 'webhook-signature': twice })).toBe(204);
    expect(await post(`${body} `, genuine)).toBe(400);
    expect(await post(body, { ...genuine, 'webhook-id': 'evt_2' })).toBe(400);
    expect(await post(body, signed(other, now))).toBe(400);
    expect(await post(body, signed(endpoint.secret, new Date(now.getTime() - 600_000)))).toBe(400);
    expect(await post(body, { ...genuine, 'webhook-timestamp': 'yesterday' })).toBe(400);
    expect(await post(body, {})).toBe(400);
  } finally {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  }
});
