import type { WorkspaceRef } from '../../src/kernel/principal';
import { OPERATOR } from '../../src/kernel/actor';
import { ManageChannel } from '../../src/modules/messages';
import type { Client } from '../support/http-client';
import type { TestGala, TestWorkspace } from '../support/start-gala';
import { Callbacks, CREDENTIALS } from '../support/whatsapp-server';

/** Connects a workspace's live mode with the stand-in, and has its callbacks come in. */
export async function connect(
  gala: TestGala,
  { id }: TestWorkspace,
  credentials = CREDENTIALS,
): Promise<Callbacks> {
  const ref: WorkspaceRef = { workspaceId: id, mode: 'live' };
  const channel = gala.app.get(ManageChannel, { strict: false });
  await channel.connect(ref, OPERATOR, credentials);
  const { id: connection } = (await channel.find(ref))!;
  return new Callbacks(gala.baseUrl, `/channels/whatsapp/${connection}`, credentials.appSecret);
}

/** A lead who has just written, so that free text may be sent to them. */
export async function leadWhoWrote(
  client: Client,
  callbacks: Callbacks,
  { phone = '+34600123456', at = new Date() } = {},
): Promise<{ id: string; phone: string }> {
  const lead = await client.post('/v1/leads', { email: 'ana@example.com', name: 'Ana', phone });
  expect(lead.status).toBe(201);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  await callbacks.message(phone.slice(1), { timestamp, type: 'text', text: { body: 'Hello!' } });
  return lead.body;
}
