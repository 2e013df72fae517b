import { type Client as Connection } from 'pg';
import { newId } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { createLead, type LeadBody } from '../support/leads';
import { giveEachTestAWorkspace } from '../support/own-workspaces';
import { onConnection } from '../support/sql';
import type { TestGala, TestWorkspace } from '../support/start-gala';
import { PERIOD, storedJourney, storedStays, uuidOf } from './support';

/** During a rolling upgrade, instances of the release before write beside this one. They know nothing of journeys. */

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
giveEachTestAWorkspace((given) => ({ gala, workspace, client } = given));

const STAGES = ['contacted', 'visit_booked', 'new_enquiry', 'negotiation', 'lost', 'confirmed'];
const MOVES = 30;

/** As the release before moved a lead. Returns whether it was elsewhere. */
async function moveAsBefore(connection: Connection, lead: LeadBody, stage: string): Promise<boolean> {
  await connection.query('BEGIN');
  const key = [uuidOf(workspace.id), uuidOf(lead.id)];
  const { rows } = await connection.query<{ stage: string }>(
    `SELECT stage FROM leads WHERE workspace_id = $1 AND mode = 'live' AND id = $2 FOR NO KEY UPDATE`,
    key,
  );
  const isMoved = rows[0]!.stage !== stage;
  if (isMoved) {
    await connection.query(
      `WITH recorded AS (
         INSERT INTO lead_stage_changes (workspace_id, mode, lead_id, at, from_stage, to_stage, actor_type, actor_name)
         SELECT workspace_id, mode, id, greatest(now(), updated_at + interval '1 millisecond'), stage, $3, 'api_key', 'Form'
         FROM leads WHERE workspace_id = $1 AND mode = 'live' AND id = $2
       )
       UPDATE leads SET stage = $3, updated_at = greatest(now(), updated_at + interval '1 millisecond'), revision = revision + 1
       WHERE workspace_id = $1 AND mode = 'live' AND id = $2`,
      [...key, stage],
    );
  }
  await connection.query('COMMIT');
  return isMoved;
}

/** A random but repeatable stage. */
const stageAt = (index: number) => STAGES[(index * 7 + (index >> 2)) % STAGES.length]!;

test('no stay is missing when both move the same leads at the same time', async () => {
  const leads = [await createLead(client), await createLead(client)];
  let moved = 0;
  const older = onConnection(gala.databaseUrl, async (connection) => {
    for (let index = 0; index < MOVES; index++) {
      if (await moveAsBefore(connection, leads[index % 2]!, stageAt(index))) moved++;
    }
  });
  for (let index = 0; index < MOVES; index++) {
    const { status } = await client.patch(`/v1/leads/${leads[index % 2]!.id}`, { stage: stageAt(index + 3) });
    expect(status).toBe(200);
  }
  await older;
  expect(moved).toBeGreaterThan(0);

  for (const lead of leads) {
    const changes = await onConnection(gala.databaseUrl, (connection) =>
      connection.query<{ from_stage: string; to_stage: string }>(
        'SELECT from_stage, to_stage FROM lead_stage_changes WHERE lead_id = $1 ORDER BY number',
        [uuidOf(lead.id)],
      ),
    );
    const stays = await storedStays(gala.databaseUrl, lead.id);
    expect(stays.map(({ stage, to_stage }) => [stage, to_stage])).toEqual(
      changes.rows.map(({ from_stage, to_stage }) => [from_stage, to_stage]),
    );
    stays.forEach((stay, index) => {
      const next = stays[index + 1];
      expect(stay.left_at.getTime()).toBeGreaterThanOrEqual(stay.entered_at!.getTime());
      if (next) expect([stay.to_stage, stay.left_at]).toEqual([next.stage, next.entered_at]);
    });
    const journey = await storedJourney(gala.databaseUrl, lead.id);
    const last = stays.at(-1)!;
    expect(journey).toMatchObject({ stage: last.to_stage, entered_at: last.left_at, stay: stays.length });
    expect((await client.get(`/v1/leads/${lead.id}`)).body.stage).toBe(last.to_stage);
  }
});

test('a lead and its answer that the release before stores are counted', async () => {
  const [lead, message] = [uuidOf(newId('lead')), uuidOf(newId('msg'))];
  await onConnection(gala.databaseUrl, async (connection) => {
    await connection.query(
      `INSERT INTO leads (workspace_id, mode, id, email, source, stage, tags, created_at, updated_at, search_text)
       VALUES ($1, 'live', $2, 'ana@example.com', 'fair', 'new_enquiry', '{}', now(), now(), '')`,
      [uuidOf(workspace.id), lead],
    );
    await connection.query(
      `INSERT INTO messages (workspace_id, mode, lead_id, id, direction, channel, phone, type, status, created_at)
       VALUES ($1, 'live', $2, $3, 'outbound', 'whatsapp', '+34600123456', 'text', 'queued', now())`,
      [uuidOf(workspace.id), lead, message],
    );
    await connection.query(`UPDATE messages SET status = 'sent', sent_at = now() WHERE id = $1`, [message]);
  });
  const { body } = await client.get(`/v1/reports/responses?${PERIOD}&groupBy=source`);
  expect(body.rows).toMatchObject([{ key: 'fair', leads: 1, answered: 1, waiting: 0 }]);
});
