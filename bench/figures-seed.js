'use strict';
const { Client } = require('pg');
const { seedSizes } = require('./scale-seed');

const SCOPES = 'leads:read,leads:write,reports:read';
const STAYS = 3;

/** A uniform pseudorandom number of a lead, the same in each run. */
const draw = (salt, of) => `(hashtextextended(j.lead_id::text, ${salt}) & 1073741823) % ${of}`;

/** Two leads in three were answered, within seconds or days, and one in ten was imported. */
const JOURNEYS = `
  UPDATE lead_journeys j SET
    stay = ${STAYS},
    entered_at = created_at + interval '${STAYS * 12} hours',
    visited = ARRAY(SELECT DISTINCT unnest(ARRAY['new_enquiry', 'contacted', 'visit_booked', stage])),
    is_excluded = ${draw(21, 10)} = 0,
    responded_at = CASE WHEN ${draw(22, 3)} > 0
      THEN created_at + interval '1 second' * (exp(${draw(23, 1000)} / 1000.0 * 12)) END,
    response_kind = CASE WHEN ${draw(22, 3)} > 0 THEN 'message' END,
    awaiting_since = CASE WHEN ${draw(22, 3)} = 0 AND outcome = 'open' AND ${draw(21, 10)} > 0 THEN created_at END,
    won_at = CASE outcome WHEN 'won' THEN created_at + interval '1 hour' * (36 + ${draw(24, 2000)}) END,
    lost_at = CASE outcome WHEN 'lost' THEN created_at + interval '1 hour' * (36 + ${draw(24, 2000)}) END`;

const STAGES_BEFORE = `ARRAY['new_enquiry', 'contacted', 'visit_booked']`;
const SPELLS = `
  INSERT INTO lead_stage_spells
    (workspace_id, mode, lead_id, number, stage, entered_at, left_at, to_stage, lead_created_at, is_last)
  SELECT j.workspace_id, j.mode, j.lead_id, n, (${STAGES_BEFORE})[n + 1], j.created_at + n * interval '12 hours',
    j.created_at + (n + 1) * interval '12 hours', coalesce((${STAGES_BEFORE})[n + 2], j.stage), j.created_at,
    (${STAGES_BEFORE})[n + 1] <> j.stage
  FROM lead_journeys j, generate_series(0, ${STAYS - 1}) AS n`;

/** One for each won lead, and for one in ten others. */
const PROPOSALS = `
  INSERT INTO proposals (workspace_id, mode, lead_id, id, number, version, title, status, currency, line_items, subtotal,
    tax_total, total, sent_at, accepted_at, created_at, updated_at)
  SELECT j.workspace_id, j.mode, j.lead_id, gen_random_uuid(), row_number() OVER (), 1, 'Party',
    CASE outcome WHEN 'won' THEN 'accepted' ELSE 'sent' END, CASE WHEN ${draw(25, 5)} = 0 THEN 'GBP' ELSE 'EUR' END, '[]',
    ${draw(26, 2_000_000)}, 0, ${draw(26, 2_000_000)}, created_at, won_at, created_at, created_at
  FROM lead_journeys j WHERE outcome = 'won' OR ${draw(27, 10)} = 0`;

/** @returns {Promise<{ token: string, leadIds: string[] }>} a key that may read reports, and some leads */
async function seedFigures(databaseUrl, leads) {
  const [workspace] = await seedSizes(databaseUrl, [leads], SCOPES);
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`SET maintenance_work_mem = '256MB'`);
    // The answers that proposals are would be recorded one by one.
    await client.query('ALTER TABLE proposals DISABLE TRIGGER USER');
    for (const text of [JOURNEYS, SPELLS, PROPOSALS]) await client.query(text);
    await client.query('ALTER TABLE proposals ENABLE TRIGGER USER');
    await client.query('VACUUM (ANALYZE) lead_journeys, lead_stage_spells, proposals');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
  return workspace;
}

module.exports = { seedFigures };
