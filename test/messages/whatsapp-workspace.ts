import { OPERATOR } from '../../src/kernel/actor';
import { ManageChannel } from '../../src/modules/messages';
import { BackgroundJobs } from '../../src/platform/jobs/background-jobs';
import type { LeadBody } from '../support/leads';
import type { Client } from '../support/http-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { type Callbacks, WhatsAppServer } from '../support/whatsapp-server';
import { conversation, type MessageBody } from './support';
import { connect } from './whatsapp-support';

export const USER_ID = 'ES.13491208655302741918';
export const OTHER_USER_ID = 'ES.20000000000000000002';
export const PHONE = '+34600123456';
export const OTHER_PHONE = '+34600999999';

export const says = (body: string) => ({ type: 'text', text: { body } });
export const digits = (phone: string) => phone.slice(1);

/** A service with a workspace of its own for each test, whose live mode is connected to the stand-in for WhatsApp. */
export class WhatsAppWorkspace {
  whatsApp!: WhatsAppServer;
  gala!: TestGala;
  workspace!: TestWorkspace;
  client!: Client;
  callbacks!: Callbacks;

  /** Registers the hooks of the spec file. */
  constructor() {
    beforeAll(async () => {
      this.whatsApp = await WhatsAppServer.start();
      this.gala = await startGala({ configuration: { whatsAppApiUrl: this.whatsApp.url } });
      this.gala.app.get(BackgroundJobs).start();
    });
    afterAll(async () => {
      await this.gala.stop();
      await this.whatsApp.stop();
    });
    beforeEach(async () => {
      this.whatsApp.forget();
      this.workspace = await this.gala.createWorkspace();
      this.client = await this.workspace.client('live');
      this.callbacks = await connect(this.gala, this.workspace);
    });
    afterEach(() => expect(this.whatsApp.faults).toEqual([]));
  }

  get ref() {
    return { workspaceId: this.workspace.id, mode: 'live' } as const;
  }

  /** Has someone say it, by user id alone or with the number as well. */
  async say(
    body: string,
    { userId = USER_ID, phone }: { userId?: string; phone?: string } = {},
  ): Promise<void> {
    const shown = phone === undefined ? {} : { phone: digits(phone) };
    expect((await this.callbacks.userMessage(userId, says(body), shown)).status).toBe(200);
  }

  /** The lead that somebody unknown has become by writing. */
  async newcomer(): Promise<LeadBody> {
    await this.say('Is June free?');
    const leads = await this.leadsFromWhatsApp();
    expect(leads).toHaveLength(1);
    return leads[0]!;
  }

  async leadsFromWhatsApp(): Promise<LeadBody[]> {
    return (await this.client.get('/v1/leads?source=whatsapp')).body.data;
  }

  async messages(of = this.client): Promise<MessageBody[]> {
    return (await of.get('/v1/messages?sort=createdAt')).body.data;
  }

  async textsOf(leadId: string): Promise<string[]> {
    return (await conversation(this.client, leadId)).map(({ text }) => text);
  }

  dontCreateLeads(): Promise<void> {
    const channel = this.gala.app.get(ManageChannel, { strict: false });
    return channel.changeSettings(this.ref, OPERATOR, { languages: [], createsLeads: false });
  }
}
