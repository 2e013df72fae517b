import { sent } from '../proposals/support';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import { sql } from '../support/sql';
import { addReason } from '../support/stages';
import type { TestGala } from '../support/start-gala';
import { PERIOD, uuidOf } from './support';

let gala: TestGala;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, client } = given));

async function outcomes(query = ''): Promise<any> {
  const { status, body } = await client.get(`/v1/reports/outcomes?${PERIOD}${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

describe('lost leads', () => {
  let far: string;
  let dear: string;
  beforeEach(async () => {
    [far, dear] = [(await addReason(client, 'By far')).id, (await addReason(client, 'Too dear')).id];
    for (const reason of [dear, far, dear, null])
      await createLead(client, {
        stage: 'lost',
        lostReasonId: reason,
        source: reason === far ? 'fair' : null,
      });
    await createLead(client);
  });

  test.each(['closed', 'created'])('by %s are listed by their reason', async (basis) => {
    const { total, lostReasons } = await outcomes(`&basis=${basis}&interval=month`);
    expect(total).toMatchObject({ created: 5, lost: 4, won: 0, winRate: 0, daysToWin: null });
    expect(lostReasons).toEqual([
      { lostReasonId: dear, leads: 2 },
      ...[far, null].map((lostReasonId) => ({ lostReasonId, leads: 1 })),
    ]);
    expect((await outcomes(`&basis=${basis}&source=FAIR`)).lostReasons).toEqual([
      { lostReasonId: far, leads: 1 },
    ]);
  });

  test('are groups of their reason, beside all leads without one', async () => {
    const { rows } = await outcomes('&groupBy=lostReason');
    expect(rows.map(({ key, created, lost, open }: any) => [key, created, lost, open])).toEqual([
      [dear, 2, 2, 0],
      [far, 1, 1, 0],
      [null, 2, 1, 1],
    ]);
  });
});

test('each owner has a row, and nobody the last one', async () => {
  const { data } = (await client.get('/v1/members')).body;
  const { id } = data[0];
  await createLead(client, { ownerId: id });
  await createLead(client, { ownerId: id, stage: 'confirmed' });
  await createLead(client);
  const { rows } = await outcomes('&groupBy=owner');
  expect(rows.map(({ key, created, won }: any) => [key, created, won])).toEqual([
    [id, 2, 1],
    [null, 1, 0],
  ]);
  expect((await outcomes(`&ownerId=${id}`)).total).toMatchObject({ created: 2, won: 1, winRate: 1 });
  expect((await outcomes('&ownerId=none')).total).toMatchObject({ created: 1, won: 0, winRate: null });
});

test('a won lead is worth its last sent proposal, and took as many days as from its creation', async () => {
  const lead = await createLead(client, { guests: 100 });
  await sent(client, { leadId: lead.id });
  const last = await sent(client, { leadId: lead.id, currency: 'USD' });
  await client.patch(`/v1/leads/${lead.id}`, { stage: 'confirmed' });
  await sql(
    gala.databaseUrl,
    `UPDATE lead_journeys SET created_at = won_at - interval '36 hours' WHERE lead_id = $1`,
    [uuidOf(lead.id)],
  );
  const { total } = await outcomes();
  expect(total).toMatchObject({
    ...{ won: 1, daysToWin: 1.5, withoutValue: 0 },
    values: [{ currency: 'USD', amount: last.total, leads: 1 }],
  });
});

describe('of the proposals of a won lead', () => {
  let lead: any;
  let first: any;
  beforeEach(async () => {
    lead = await createLead(client, { guests: 100 });
    first = await sent(client, { leadId: lead.id });
    await sent(client, { leadId: lead.id, currency: 'USD' });
    await client.patch(`/v1/leads/${lead.id}`, { stage: 'confirmed' });
  });

  const change = (currency: string, values: string) =>
    sql(gala.databaseUrl, `UPDATE proposals SET ${values} WHERE lead_id = $1 AND currency = $2`, [
      uuidOf(lead.id),
      currency,
    ]);
  const ofFirst = () => [{ currency: first.currency, amount: first.total, leads: 1 }];

  test('the accepted one counts, even when another was sent later', async () => {
    await change(first.currency, `status = 'accepted', accepted_at = sent_at`);
    expect((await outcomes()).total.values).toEqual(ofFirst());
  });

  test.each([`archived_at = now()`, `status = 'withdrawn'`, `status = 'declined'`])(
    'one with %s does not count',
    async (values) => {
      await change('USD', values);
      expect((await outcomes()).total.values).toEqual(ofFirst());
    },
  );
});
