'use strict';
const { Client } = require('pg');
const { fromUuid } = require('../dist/src/kernel/ids');
const { runGala } = require('./servers');

const LEADS = 10_000;
const SAMPLE = 1_000;

// One lead a minute up to now, with every field. Ids are UUIDv7 of their time, like Gala's own.
const INSERT_LEADS = `
  WITH numbered AS (
    SELECT n, date_trunc('milliseconds', now()) - make_interval(mins => n) AS at, md5('gala' || n) AS hex,
      (ARRAY['Ana', 'Oliver', 'Zoë', 'Mateo', 'Ingrid', 'Søren', 'Chloé'])[1 + n % 7] AS first,
      (ARRAY['Pérez', 'O’Brien', 'Nováková', 'García', 'Lindqvist', 'Jensen'])[1 + n % 6] AS last
    FROM generate_series(1, $3::int) AS n
  ), described AS (
    SELECT numbered.*, first || ' ' || last AS name, 'guest.' || n || '@example.com' AS email,
      '+346' || lpad(n::text, 8, '0') AS phone,
      ARRAY[(ARRAY['wedding', 'birthday', 'conference'])[1 + n % 3], (ARRAY['garden', 'vip'])[1 + n % 2]] AS tags
    FROM numbered
  )
  INSERT INTO leads (workspace_id, mode, id, name, email, phone, event_date, guests, source, stage, tags,
    archived_at, created_at, updated_at, search_text)
  SELECT $1, $2,
    (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || left(hex, 3) || 'a' || right(hex, 15))::uuid,
    name, email, phone, date '2027-01-01' + n % 500, 20 + n % 280,
    (ARRAY['website', 'referral', 'fair', 'instagram'])[1 + n % 4],
    (ARRAY['new_enquiry', 'contacted', 'visit_booked', 'proposal_sent', 'confirmed'])[1 + n % 5],
    tags, NULL, at, at, lower(name || E'\\n' || email || E'\\n' || phone || E'\\n' || array_to_string(tags, E'\\n'))
  FROM described`;

/**
 * Creates a workspace with one live key and many leads.
 *
 * @param {string} databaseUrl of an empty database; its schema is created here too
 * @returns {Promise<{ token: string, leadIds: string[] }>} the key, and some of the leads
 */
async function seed(databaseUrl) {
  const workspace = await runGala(
    databaseUrl,
    ...['workspace', 'create', '--name', 'Bench', '--owner-email', 'owner@example.com', '--json'],
  );
  const key = await runGala(
    databaseUrl,
    ...['api-key', 'create', '--workspace', workspace.id, '--mode', 'live', '--name', 'Bench'],
    ...['--scopes', 'leads:read,leads:write,webhooks:write', '--json'],
  );
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query('SELECT id FROM workspaces');
    await client.query(INSERT_LEADS, [rows[0].id, 'live', LEADS]);
    await client.query('VACUUM (ANALYZE) leads, api_keys');
    const sample = await client.query('SELECT id FROM leads ORDER BY md5(id::text) LIMIT $1', [SAMPLE]);
    return { token: key.key, leadIds: sample.rows.map(({ id }) => fromUuid('lead', id)) };
  } finally {
    await client.end();
  }
}

module.exports = { seed };
