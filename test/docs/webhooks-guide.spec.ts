import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { features } from '../../src/features';
import { ROOT } from '../support/gala-process';
import { type Block, blocksOf } from './markdown';
import { fileNeeds } from '../support/requirements';

fileNeeds('bash', 'curl', 'openssl');

const PAGE = 'docs/guides/webhooks.md';
const run = promisify(execFile);
const ofKind = (kind: string) => blocksOf(PAGE).filter(({ info }) => info === kind);

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'gala-webhooks-guide-'))));
afterAll(() => rmSync(folder, { recursive: true }));

test('a webhook’s signature made in the shell is the one that the guide shows, and Standard Webhooks’', async () => {
  const block = ofKind('sh').find(({ code }) => code.includes('openssl'))!;
  const [shown] = ofKind('text') as [Block];
  expect((await run('bash', ['-euo', 'pipefail', '-c', block.code])).stdout).toBe(shown.code);
  const [, secret, id, timestamp, body] = /secret=(\S+) id=(\S+) timestamp=(\d+)\nbody='(.*)'/.exec(
    block.code,
  )!;
  const signature = new Webhook(secret!).sign(id!, new Date(Number(timestamp) * 1000), body!);
  expect(signature).toBe(`v1,${shown.code.trim()}`);
});

test('what is kept of a delivery is verified in the shell', async () => {
  const [{ code }] = ofKind('sh verify') as [Block];
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const isGenuine = async (body: string, signature: string, at = new Date()) => {
    const seconds = Math.floor(at.getTime() / 1000);
    const headers = `Host: x\r\nWebhook-Id: evt_1\r\nwebhook-timestamp: ${seconds}\r\nWebhook-Signature: ${signature}\r\n`;
    writeFileSync(join(folder, 'headers'), headers);
    writeFileSync(join(folder, 'body'), body);
    const script = `${code}\nif is_genuine headers body; then echo yes; else echo no; fi`;
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret };
    return (await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })).stdout.trim();
  };
  const body = '{"type":"lead.created"}\n\n';
  const [now, long] = [new Date(), new Date(Date.now() - 301_000)];
  const signature = new Webhook(secret).sign('evt_1', now, body);
  expect(await isGenuine(body, signature, now)).toBe('yes');
  expect(await isGenuine(body, `v1,b3RoZXI= ${signature}`, now)).toBe('yes');
  expect(await isGenuine(body, 'v1,b3RoZXI=', now)).toBe('no');
  expect(await isGenuine(body.trim(), signature, now)).toBe('no');
  expect(await isGenuine(body, new Webhook(secret).sign('evt_1', long, body), long)).toBe('no');
});

test('every type of event is in the guide on webhooks', () => {
  const types = features.flatMap(({ events }) => Object.keys(events ?? {}));
  const guide = readFileSync(join(ROOT, PAGE), 'utf8');
  const told = [...guide.matchAll(/^\| `([\w.]+)` \| /gm)].map(([, type]) => type!);
  expect(told.sort()).toEqual(types.sort());
});
