import * as fc from 'fast-check';
import { newId } from '../../src/kernel/ids';
import { onConnection } from '../support/sql';
import { type History, type HistoryEvent, STAGES } from '../support/figures-reference';
import { uuidOf } from './support';

/** Around a change of clocks in Europe and America. */
const START = Date.parse('2026-10-20T00:00:00Z');
const DAYS = 20;

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('moved' as const),
      stage: fc.constantFrom(...STAGES),
      isByPerson: fc.boolean(),
    }),
  },
  fc.record({
    type: fc.constantFrom('received' as const, 'called' as const, 'visited' as const, 'archived' as const),
  }),
  fc.record({ type: fc.constant('sent' as const), isAutomatic: fc.boolean() }),
  fc.record({
    type: fc.constant('proposed' as const),
    currency: fc.constantFrom('EUR', 'USD'),
    total: fc.integer({ min: 0, max: 1_000_000 }),
    isAccepted: fc.boolean(),
  }),
);
/** Milliseconds to the next step: from one to days. */
const pause = fc.oneof(
  fc.constant(1),
  fc.integer({ min: 1, max: 400_000 }),
  fc.integer({ min: 1, max: 3 * 86_400_000 }),
);

/** Jumps, returns, reopened and archived leads, and moves within a millisecond of each other. */
export const history: fc.Arbitrary<History> = fc
  .record({
    at: fc.integer({ min: 0, max: DAYS * 86_400_000 }),
    stage: fc.oneof({ weight: 4, arbitrary: fc.constant('new_enquiry') }, fc.constantFrom(...STAGES)),
    source: fc.option(fc.constantFrom('website', 'Website', 'fair', 'café')),
    tag: fc.option(fc.constantFrom('vip', 'garden')),
    steps: fc.array(fc.tuple(step, pause), { maxLength: 10 }),
  })
  .map(({ at, steps, ...created }) => {
    let now = START + at;
    const events: HistoryEvent[] = [{ type: 'created', at: now, ...created }];
    for (const [next, after] of steps) events.push({ ...next, at: (now += after) });
    return events;
  });

/** Writes histories as the service does, each change in a transaction of its own. */
export async function writeHistories(
  databaseUrl: string,
  workspaceId: string,
  all: readonly History[],
): Promise<void> {
  const workspace = uuidOf(workspaceId);
  await onConnection(databaseUrl, async (client) => {
    const run = (text: string, values: unknown[]) => client.query(text, values);
    for (const [index, events] of all.entries()) {
      const lead = uuidOf(newId('lead'));
      let stage = '';
      for (const [place, event] of events.entries()) {
        const at = new Date(event.at);
        const key = [workspace, lead];
        switch (event.type) {
          case 'created':
            stage = event.stage;
            await run(
              `INSERT INTO leads (workspace_id, mode, id, email, source, stage, tags, created_at, updated_at, search_text)
               VALUES ($1, 'live', $2, 'ana@example.com', $3, $4, $5, $6, $6, '')`,
              [...key, event.source, stage, event.tag ? [event.tag] : [], at],
            );
            break;
          case 'moved':
            if (event.stage === stage) break;
            await run('BEGIN', []);
            await run(`UPDATE leads SET stage = $3, updated_at = $4 WHERE workspace_id = $1 AND id = $2`, [
              ...[...key, event.stage, at],
            ]);
            await run(
              `INSERT INTO lead_stage_changes (workspace_id, mode, lead_id, at, from_stage, to_stage, actor_type)
               VALUES ($1, 'live', $2, $3, $4, $5, $6)`,
              [...key, at, stage, event.stage, event.isByPerson ? 'user' : null],
            );
            await run('COMMIT', []);
            stage = event.stage;
            break;
          case 'archived':
            await run(
              `UPDATE leads SET archived_at = $3, updated_at = $3 WHERE workspace_id = $1 AND id = $2`,
              [...[...key, at]],
            );
            break;
          case 'received':
          case 'sent':
            await run(
              `INSERT INTO messages (workspace_id, mode, lead_id, id, direction, channel, phone, type, status, is_automatic, created_at, sent_at)
               VALUES ($1, 'live', $2, gen_random_uuid(), $3, 'simulator', '+34600123456', 'text', $4, $5, $6, $6)`,
              event.type === 'received'
                ? [...key, 'inbound', 'received', false, at]
                : [...key, 'outbound', 'sent', event.isAutomatic, at],
            );
            break;
          case 'called':
            await run(
              `INSERT INTO activities (workspace_id, mode, lead_id, id, type, direction, text, at, author, created_at, revision)
               VALUES ($1, 'live', $2, gen_random_uuid(), 'call', 'out', 'Hi', $3, '{"type":"user","name":"Eva"}', $3, 1)`,
              [...key, at],
            );
            break;
          case 'visited':
            await run(
              `INSERT INTO calendar_events (workspace_id, mode, lead_id, id, type, title, starts_at, ends_at, time_zone, space_ids,
                 status, sequence, created_at, updated_at)
               VALUES ($1, 'live', $2, gen_random_uuid(), 'visit', 'Visit', $3::timestamptz, $3::timestamptz + interval '1 hour', 'UTC', '{}', 'confirmed', 0, $3, $3)`,
              [...key, at],
            );
            break;
          case 'proposed':
            await run(
              `INSERT INTO proposals (workspace_id, mode, lead_id, id, number, version, title, status, currency, line_items,
                 subtotal, tax_total, total, sent_at, accepted_at, created_at, updated_at)
               VALUES ($1, 'live', $2, gen_random_uuid(), $3, 1, 'Party', $4, $5, '[]', $6, 0, $6, $7, $8, $7, $7)`,
              [
                ...key,
                index * 100 + place,
                ...(event.isAccepted ? ['accepted'] : ['sent']),
                ...[event.currency, event.total, at, event.isAccepted ? at : null],
              ],
            );
        }
      }
    }
  });
}
