import { Controller, HttpCode, Module, Post } from '@nestjs/common';
import { type Actor, OPERATOR } from '../../src/kernel/actor';
import { ValidationFailed } from '../../src/kernel/errors';
import { CreateLead, type LeadChange } from '../../src/modules/leads';
import type { PolicyContext } from '../../src/kernel/policies';
import type { Principal } from '../../src/kernel/principal';
import type { Feature } from '../../src/platform/feature';
import { Caller, RequireCredential } from '../../src/platform/access/access.decorators';
import { fillSandbox } from '../../src/service/demo/sandbox';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { type Callbacks, WhatsAppServer } from '../support/whatsapp-server';
import { connect } from '../messages/whatsapp-support';
import { pathOf, sent, visitor } from '../proposals/support';
import { HouseRules } from './support';

/** Another team's route, where a person acts by hand of a key. */
@Controller('/v1/walk-ins')
class WalkInsController {
  constructor(private readonly createLead: CreateLead) {}

  @Post()
  @HttpCode(200)
  @RequireCredential()
  async add(@Caller() { workspaceId, mode }: Principal): Promise<object> {
    const actor: Actor = { type: 'user', id: 'user_1', name: 'ben@example.com', address: null };
    return { ...(await this.createLead.execute({ workspaceId, mode, actor }, { email: 'ana@example.com' })) };
  }
}
@Module({ controllers: [WalkInsController] })
class WalkInsModule {}
const walkIns: Feature = { module: WalkInsModule };

const rules = new HouseRules();
let whatsApp: WhatsAppServer;
let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  gala = await startGala({
    configuration: { whatsAppApiUrl: whatsApp.url },
    extensions: [rules.extension, walkIns],
  });
  await HouseRules.createTable(gala.databaseUrl);
});
afterAll(async () => {
  await gala.stop();
  await whatsApp.stop();
});
beforeEach(async () => {
  rules.forget();
  gala.logged.splice(0);
  await sql(gala.databaseUrl, 'DELETE FROM policy_notes');
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});

const read = async (id: string): Promise<LeadBody> => (await client.get(`/v1/leads/${id}`)).body;
const notes = () => HouseRules.notes(gala.databaseUrl);
const logLines = () =>
  gala.logged.map((line) => JSON.parse(line)).filter(({ policy }) => policy === 'lead policy house rules');
const OVERRULED = 'a policy refused a change that follows from a fact, and was overruled';

/** Has the policy note each change that it is asked about, and then do as `decide` says. */
function watch(decide: (change: LeadChange) => object | undefined = () => undefined): LeadChange[] {
  const seen: LeadChange[] = [];
  rules.leads = {
    async beforeChange(change) {
      seen.push(change);
      await rules.note(change.action);
      return decide(change);
    },
  };
  return seen;
}

describe('a lead that WhatsApp makes of somebody unknown', () => {
  const PHONE = '34600123456';
  const says = { type: 'text', text: { body: 'Is June free?' } };
  let callbacks: Callbacks;
  beforeEach(async () => (callbacks = await connect(gala, workspace)));
  const leads = async () => (await client.get('/v1/leads')).body.data;
  const messages = async () => (await client.get('/v1/messages')).body.data;

  test('is seen, and can be changed', async () => {
    const callers: unknown[] = [];
    rules.leads = {
      beforeCreate({ caller, fields }) {
        callers.push(caller);
        return { tags: [`from ${fields.source}`] };
      },
    };
    expect((await callbacks.message(PHONE, says)).status).toBe(200);
    expect(await leads()).toEqual([
      expect.objectContaining({ phone: `+${PHONE}`, source: 'whatsapp', tags: ['from whatsapp'] }),
    ]);
    expect(callers).toEqual([null]);
  });

  test('can be refused: the message is kept without a lead, and the policy’s writes are not', async () => {
    rules.leads = {
      async beforeCreate() {
        await rules.note('asked');
        throw new ValidationFailed({ field: 'phone', message: 'is blocked' });
      },
    };
    expect((await callbacks.message(PHONE, says)).status).toBe(200);
    expect(await leads()).toEqual([]);
    expect(await messages()).toEqual([expect.objectContaining({ text: 'Is June free?', leadId: null })]);
    expect(await notes()).toEqual([]);
  });
});

describe('a stage that follows from a fact', () => {
  test('a proposal that is sent: a policy sees it, and adds to it', async () => {
    const seen = watch(() => ({ tags: ['offered'], stage: 'lost' }));
    const { leadId } = await sent(client);
    expect(await read(leadId)).toMatchObject({ stage: 'proposal_sent', tags: ['offered'] });
    expect(seen).toEqual([
      expect.objectContaining({
        action: 'advance',
        changes: { stage: 'proposal_sent' },
        caller: expect.objectContaining({ type: 'api_key' }),
      }),
    ]);
    expect(await notes()).toEqual(['advance']);
  });

  test.each([
    ['refuses', new ValidationFailed({ field: 'stage', message: 'not in June' }), [OVERRULED]],
    ['fails', new Error('broken'), ['a policy failed']],
  ])('a client accepts although a policy %s', async (_, error, logged) => {
    const offer = await sent(client);
    const seen = watch(({ caller }) => {
      expect(caller).toBeNull();
      throw error;
    });
    const page = pathOf(offer);
    const fields = { name: 'Ana Pérez', consent: 'yes' };
    const answer = await visitor(gala.baseUrl).submit(`${page}/accept`, fields, { on: page });
    expect(answer.status).toBeLessThan(400);
    expect((await client.get(`/v1/proposals/${offer.id}`)).body.status).toBe('accepted');
    expect((await read(offer.leadId)).stage).toBe('confirmed');
    expect(seen).toMatchObject([{ action: 'advance', changes: { stage: 'confirmed' } }]);
    expect(await notes()).toEqual([]);
    expect(logLines().map(({ message }) => message)).toEqual(
      logged.map((each) => expect.stringContaining(each)),
    );
  });

  test('what a policy returns for it is validated, and left out when it is invalid', async () => {
    watch(() => ({ guests: 0 }));
    const { leadId } = await sent(client);
    expect(await read(leadId)).toMatchObject({ stage: 'proposal_sent', guests: 120 });
    expect(logLines()).toEqual([expect.objectContaining({ message: OVERRULED })]);
  });

  test('a site visit: the visit can be refused, the stage can’t', async () => {
    const { id } = await createLead(client, { name: 'Ana' });
    const book = () => client.post(`/v1/leads/${id}/visits`, { startsAt: '2027-02-03T10:00:00.000Z' });
    watch(() => {
      throw new ValidationFailed({ field: 'stage', message: 'no' });
    });
    rules.calendarEvents = {
      beforeCreate({ fields }) {
        throw new ValidationFailed({ field: 'startsAt', message: `no ${fields.type} on Wednesdays` });
      },
    };
    expect((await book()).body.error.details).toEqual([
      { field: 'startsAt', message: 'no visit on Wednesdays' },
    ]);
    expect((await read(id)).stage).toBe('new_enquiry');
    rules.calendarEvents = {};
    expect((await book()).status).toBe(201);
    expect((await read(id)).stage).toBe('visit_booked');
  });

  test('a stage that is reached already asks nobody', async () => {
    const { id } = await createLead(client, { stage: 'confirmed' });
    const seen = watch();
    await client.post(`/v1/leads/${id}/visits`, { startsAt: '2027-02-03T10:00:00.000Z' });
    expect(seen).toEqual([]);
  });
});

test('another team’s route names who acts', async () => {
  rules.leads = { beforeCreate: ({ caller }) => ({ source: `${caller?.type} ${caller?.name}` }) };
  expect((await client.post('/v1/walk-ins')).body).toMatchObject({ source: 'user ben@example.com' });
});

test('the demo’s data goes through policies as well', async () => {
  const seen = { leads: 0, proposals: 0, calendarEvents: 0 };
  const count = (what: keyof typeof seen) => (creation: PolicyContext) => {
    if (creation.caller?.type === OPERATOR.type) seen[what]++;
  };
  rules.leads = { beforeCreate: count('leads') };
  rules.proposals = { beforeCreate: count('proposals') };
  rules.calendarEvents = { beforeCreate: count('calendarEvents') };
  await fillSandbox(gala.app, { workspaceId: workspace.id, mode: 'test' });
  const sandbox = await workspace.client('test');
  const { total } = (await sandbox.get('/v1/leads')).body.pagination;
  expect(total).toBeGreaterThan(0);
  expect(seen).toEqual({ leads: total, proposals: 2, calendarEvents: 4 });
});
