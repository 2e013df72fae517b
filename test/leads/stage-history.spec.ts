import type { LeadId } from '../../src/kernel/ids';
import { ChangeLead } from '../../src/modules/leads';
import { readStageChanges } from '../../src/modules/leads/infrastructure/stage-history';
import { Database } from '../../src/platform/persistence/database';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { addReason, addStage, emptyArchivedStages } from '../support/stages';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const ref = (mode: 'live' | 'test' = 'live') => ({ workspaceId: workspace.id, mode });
const history = (id: string, limit = 100, before?: Parameters<typeof readStageChanges>[4]) =>
  readStageChanges(gala.app.get(Database, { strict: false }), ref(), id as LeadId, limit, before);
const patch = (id: string, body: object) => client.patch(`/v1/leads/${id}`, body);

test('tells each change of a lead’s stage, newest first, and who made it', async () => {
  const lead = await createLead(client);
  await patch(lead.id, { stage: 'contacted', guests: 4 });
  await patch(lead.id, { guests: 5 });
  await gala.app.get(ChangeLead, { strict: false }).advanceTo(ref(), lead.id as LeadId, 'proposalSent');
  const changes = await history(lead.id);
  expect(changes).toEqual([
    expect.objectContaining({ from: 'contacted', to: 'proposal_sent', actor: null }),
    expect.objectContaining({
      from: 'new_enquiry',
      to: 'contacted',
      lostReasonId: null,
      lostNote: null,
      actor: { type: 'api_key', id: expect.stringMatching(/^key_/), name: 'Test key' },
    }),
  ]);
  const { updatedAt } = (await client.get(`/v1/leads/${lead.id}`)).body;
  expect(changes[0]!.at.toISOString()).toBe(updatedAt);
});

test('keeps why a lead was lost, whenever that was said', async () => {
  const { id: reason } = await addReason(client, 'Over budget');
  const lead = await createLead(client);
  await patch(lead.id, { stage: 'lost', lostReasonId: reason });
  await patch(lead.id, { lostNote: 'By far' });
  await patch(lead.id, { stage: 'contacted' });
  const [left, lost] = await history(lead.id);
  expect(lost).toMatchObject({ to: 'lost', lostReasonId: reason, lostNote: null });
  expect(left).toMatchObject({ from: 'lost', lostReasonId: reason, lostNote: 'By far' });
});

test('is read in parts, each after the one before', async () => {
  const lead = await createLead(client);
  const stages = ['contacted', 'lost', 'negotiation', 'contacted', 'completed'];
  for (const stage of stages) await patch(lead.id, { stage });
  const read = [];
  for (let part = await history(lead.id, 2); part.length; part = await history(lead.id, 2, part.at(-1))) {
    read.push(...part);
  }
  expect(read.map(({ to }) => to)).toEqual(stages.toReversed());
});

test('holds what the archiving of a stage moved', async () => {
  await addStage(client, 'tasting');
  const lead = await createLead(client, { stage: 'tasting' });
  await client.post('/v1/stages/tasting/archive', { moveTo: 'contacted' });
  await emptyArchivedStages(gala);
  expect(await history(lead.id)).toMatchObject([{ from: 'tasting', to: 'contacted', actor: null }]);
});

test('belongs to a workspace and mode', async () => {
  const lead = await createLead(client);
  await patch(lead.id, { stage: 'contacted' });
  const database = gala.app.get(Database, { strict: false });
  expect(await readStageChanges(database, ref('test'), lead.id as LeadId, 10)).toEqual([]);
});
