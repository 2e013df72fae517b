import { auditRecords } from '../audit-log/records';
import type { WorkspaceId } from '../../src/kernel/ids';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';
import { CREDENTIALS, WhatsAppServer } from '../support/whatsapp-server';

const OWNER = 'owner@garden.test';

let whatsApp: WhatsAppServer;
let gala: TestGala;
let browser: PageClient;
let workspace: WorkspaceId;
let channels: string;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({ configuration: { whatsAppApiUrl: whatsApp.url } });
  workspace = await workspaceOf(gala, OWNER);
  browser = await browserOf(gala, OWNER);
  channels = `/settings/${workspace}/live/channels`;
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});

const submit = (action: string, fields: Record<string, string | string[]> = {}) =>
  browser.submit(`${channels}/${action}`, fields, { on: channels });

/** Made by Gala, and shown to be entered at Meta. */
function verifyTokenIn(page: string): string {
  return /id="field-verify-token"[^>]*>([^<]+)</.exec(page)![1]!;
}

test('a number is connected, tested and disconnected; its credentials are never shown again', async () => {
  whatsApp.templates = ['one', 'two', 'three'].map((name) => ({ name, language: 'en', status: 'APPROVED' }));
  expect(outcome(await submit('connect', CREDENTIALS))).toBe(`303 ${channels}?notice=connected`);
  const { text } = await browser.get(channels);
  for (const shown of ['+1 555-078-3881', 'Villa Aurora', '/channels/whatsapp/chan_', 'one', 'three']) {
    expect(text).toContain(shown);
  }
  const verifyToken = verifyTokenIn(text);
  expect(verifyToken.length).toBeGreaterThanOrEqual(16);
  await submit('connect', CREDENTIALS);
  expect(verifyTokenIn((await browser.get(channels)).text)).toBe(verifyToken);
  expect(outcome(await submit('test'))).toBe(`303 ${channels}?notice=works`);
  whatsApp.templates = [];
  expect(outcome(await submit('templates'))).toBe(`303 ${channels}?notice=refreshed`);
  const fields = { languages: ['es', 'xx'], createsLeads: [] };
  expect(outcome(await submit('conversations', fields))).toBe(`303 ${channels}?notice=saved`);
  const after = (await browser.get(channels)).text;
  expect(after).not.toContain('three');
  expect(after).toMatch(/value="es"[^>]*checked/);
  expect(after).not.toMatch(/value="yes"[^>]*checked/);
  expect(outcome(await submit('disconnect'))).toBe(`303 ${channels}?notice=disconnected`);
  expect((await browser.get(channels)).text).toContain('No channel connected');
  const records = [JSON.stringify(await auditRecords(gala, workspace)), ...gala.logged].join('\n');
  const told = [text, after, records].join('\n');
  for (const secret of [CREDENTIALS.accessToken, CREDENTIALS.appSecret]) expect(told).not.toContain(secret);
  expect(records).not.toContain(verifyToken);
  expect(told).toContain('channel.connected');
  expect(told).toContain('channel.disconnected');
});

test.each([
  ['an access token that WhatsApp refuses', { accessToken: 'EAA-expired' }, 'The access token has expired'],
  ['a number that it doesn’t know', { phoneNumberId: '99999' }, 'is not known to WhatsApp'],
  ['an account that it doesn’t know', { businessAccountId: '99999' }, 'is not known to WhatsApp'],
  ['a token with a space in it', { accessToken: 'EAA x' }, 'must not contain spaces or line breaks'],
  ['no number', { phoneNumberId: '+34 600' }, 'must be a number of 5 to 30 digits'],
])('%s is not connected, and the form says so', async (_, wrong, words) => {
  const answer = await submit('connect', { ...CREDENTIALS, ...wrong });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain(words);
  expect((await browser.get(channels)).text).toContain('No channel connected');
});

test('while WhatsApp is away, the page says so', async () => {
  await submit('connect', CREDENTIALS);
  const port = Number(whatsApp.url.port);
  await whatsApp.stop();
  const answer = await submit('test');
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('WhatsApp doesn’t answer at the moment');
  whatsApp = await WhatsAppServer.start(port);
});
