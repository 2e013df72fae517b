import { Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import {
  BookVisit,
  CalendarQueries,
  Caller,
  ChangeEvent,
  ChangeProposal,
  DraftProposal,
  type Feature,
  Field,
  fieldRules,
  MessageQueries,
  type PageRequest,
  parseId,
  PlanEvent,
  type Principal,
  ProposalQueries,
  RequireScope,
  SendMessage,
} from '../../src/extension';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';

const DAY = { from: '2027-06-12', to: '2027-06-12' };
const newest = (field: string): PageRequest<never> => ({
  page: 1,
  limit: 10,
  sort: { field: field as never, descending: field !== 'startsAt' },
  fingerprint: '',
});
const leadIdOf = (text: string) => parseId('lead', text)!;

class FastTrackBody {
  @Field({ rule: fieldRules.text(100), presence: 'required', example: 'Wedding' }) title!: string;
}

/** Another team's module, which does with proposals, messages and the calendar what Gala's own routes do. */
@Controller('/v1/fast-track')
class FastTrackController {
  constructor(
    private readonly draftProposal: DraftProposal,
    private readonly changeProposal: ChangeProposal,
    private readonly proposals: ProposalQueries,
    private readonly sendMessage: SendMessage,
    private readonly messages: MessageQueries,
    private readonly planEvent: PlanEvent,
    private readonly bookVisit: BookVisit,
    private readonly changeEvent: ChangeEvent,
    private readonly calendar: CalendarQueries,
  ) {}

  @Post(':id')
  @HttpCode(200)
  @RequireScope('fast-track:write')
  async start(@Caller() caller: Principal, @Param('id') id: string, @Body() { title }: FastTrackBody) {
    const leadId = leadIdOf(id);
    const lineItems = [{ description: title, unit: 'flat' as const, unitAmount: 1000 }];
    const draft = await this.draftProposal.create(caller, { leadId, title, lineItems });
    const { publicUrl } = await this.changeProposal.send(caller, draft.id);
    await this.sendMessage.execute(caller, leadId, { text: publicUrl!, template: null });
    await this.bookVisit.execute(caller, leadId, { startsAt: '2027-06-12T10:00:00Z' });
    const times = { startsAt: '2027-06-12T16:00:00Z', endsAt: '2027-06-12T20:00:00Z' };
    const event = await this.planEvent.execute(caller, { type: 'hold', title, leadId, ...times });
    await this.changeEvent.update(caller, event.id, { title: `Maybe: ${title}` });
    return { proposalId: draft.id };
  }

  @Get(':id')
  @RequireScope('fast-track:write')
  async read(@Caller() caller: Principal, @Param('id') id: string) {
    const leadId = leadIdOf(id);
    const filter = { leadId, archived: 'false' } as const;
    return {
      proposals: (await this.proposals.list(caller, filter, newest('createdAt'))).data,
      messages: (await this.messages.list(caller, { leadId }, newest('createdAt'))).data,
      events: (await this.calendar.list(caller, DAY, { leadId }, newest('startsAt'))).data,
    };
  }

  @Post(':id/stop/:proposal/:event')
  @HttpCode(200)
  @RequireScope('fast-track:write')
  async stop(
    @Caller() caller: Principal,
    @Param('proposal') proposal: string,
    @Param('event') event: string,
  ) {
    await this.changeProposal.withdraw(caller, parseId('prop', proposal)!);
    await this.changeEvent.cancel(caller, parseId('cal', event)!);
    return {
      proposal: await this.proposals.get(caller, parseId('prop', proposal)!),
      event: await this.calendar.get(caller, parseId('cal', event)!),
    };
  }
}

@Module({ controllers: [FastTrackController] })
class FastTrackModule {}
const fastTrack: Feature = {
  module: FastTrackModule,
  scopes: { 'fast-track:write': 'Send a proposal, a message and an invitation at once' },
};

let gala: TestGala;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ extensions: [fastTrack] });
  client = await (await gala.createWorkspace()).client('test');
});
afterAll(() => gala.stop());

test('another team’s module reads and acts on proposals, messages and the calendar', async () => {
  const { id } = await createLead(client, { phone: '+15005550001' });
  const started = await client.post(`/v1/fast-track/${id}`, { title: 'Wedding' });
  expect({ status: started.status, body: started.body }).toEqual({
    status: 200,
    body: { proposalId: expect.stringMatching(/^prop_/) },
  });
  const { body } = await client.get(`/v1/fast-track/${id}`);
  const { proposalId } = started.body;
  expect(body).toMatchObject({
    proposals: [{ id: proposalId, status: 'sent', total: 1000 }],
    messages: [{ leadId: id, text: expect.stringContaining('/proposals/') }],
    events: [{ type: 'visit' }, { type: 'hold', title: 'Maybe: Wedding' }],
  });
  expect((await client.get(`/v1/proposals/${proposalId}`)).body).toEqual(body.proposals[0]);
  expect((await client.get(`/v1/leads/${id}`)).body.stage).toBe('proposal_sent');
  const stopped = await client.post(`/v1/fast-track/${id}/stop/${proposalId}/${body.events[1].id}`);
  expect(stopped.body).toMatchObject({ proposal: { status: 'withdrawn' }, event: { status: 'cancelled' } });
});
