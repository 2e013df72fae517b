'use strict';
const { Client } = require('pg');
const { fromUuid, toUuid } = require('../dist/src/kernel/ids');
const { runGala } = require('./servers');

const SAMPLE = 500;

/** A uniform pseudorandom number, the same in each run. `salt` distinguishes the numbers of one lead. */
const draw = (salt, of) => `(hashint8extended(n, ${salt}) & 1073741823) % ${of}`;
const pick = (salt, values) =>
  `(ARRAY[${values.map((value) => `'${value}'`).join(',')}])[1 + ${draw(salt, values.length)}]`;

const FIRST_NAMES =
  'Ana Oliver Zoë Mateo Ingrid Søren Chloé Liam Emma Noah Sofía Lucas Mia Hugo Léa Jan Eva Paul Clara Felix Nora Omar Yara Ivan Olga Pedro Marta Luis Irene Diego'.split(
    ' ',
  );
const LAST_NAMES =
  'Pérez O’Brien Nováková García Lindqvist Jensen Smith Müller Rossi Dubois Silva Kowalski Ivanova Andersson Murphy Fernández Costa Weber Moreau Haddad Kim Tanaka Nguyen Singh Brown Wilson Taylor Romero Vidal Castro Ortega Delgado Navarro Molina Suárez Iglesias Cruz Vega Campos Fuentes'.split(
    ' ',
  );
const DOMAINS = [
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'outlook.com',
  'yahoo.com',
  'hotmail.com',
  'example.com',
  'mail.example.org',
];
const TAGS =
  'wedding birthday conference garden vip corporate summer winter catering outdoor returning referral'.split(
    ' ',
  );
const SOURCES = ['website', 'website', 'instagram', 'referral', 'fair', 'google'];
// The distribution of a venue after several years: most enquiries are closed.
const STAGES = [
  ...Array(6).fill('lost'),
  ...Array(4).fill('completed'),
  ...Array(3).fill('new_enquiry'),
  ...[
    'contacted',
    'contacted',
    'visit_booked',
    'proposal_sent',
    'proposal_sent',
    'negotiation',
    'confirmed',
    'confirmed',
  ],
];

// Two years of enquiries. One in twenty is archived, and some have no name, number or date.
const INSERT_LEADS = `
  WITH numbered AS (
    SELECT n, date_trunc('milliseconds', now()) - n * (interval '730 days' / $2::int) AS at, md5('gala' || n) AS hex,
      ${pick(1, FIRST_NAMES)} AS first, ${pick(2, LAST_NAMES)} AS last
    FROM generate_series(1, $2::int) AS n
  ), described AS (
    SELECT n, hex, date_trunc('milliseconds', at) AS at, CASE WHEN ${draw(3, 12)} > 0 THEN first || ' ' || last END AS name,
      lower(first || '.' || replace(last, '’', '')  COLLATE "und-x-icu") || n || '@' || ${pick(4, DOMAINS)} AS email,
      CASE WHEN ${draw(5, 5)} > 0 THEN '+346' || lpad((${draw(6, 100_000_000)})::text, 8, '0') END AS phone,
      (ARRAY[${pick(7, TAGS)}, ${pick(8, TAGS)}])[1:${draw(9, 3)}] AS tags
    FROM numbered
  )
  INSERT INTO leads (workspace_id, mode, id, name, email, phone, event_date, guests, source, stage, tags,
    archived_at, created_at, updated_at, search_text)
  SELECT $1, 'live',
    (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || left(hex, 3) || 'a' || right(hex, 15))::uuid,
    name, email, phone, CASE WHEN ${draw(10, 4)} > 0 THEN at::date + (${draw(11, 500)})::int END,
    20 + ${draw(12, 280)}, ${pick(13, SOURCES)}, ${pick(14, STAGES)}, tags,
    CASE WHEN ${draw(15, 20)} = 0 THEN at + interval '1 hour' END, at, at + interval '1 hour' * (${draw(16, 2)}),
    lower(concat_ws(E'\\n', name, email, phone, nullif(array_to_string(tags, E'\\n'), '')) COLLATE "und-x-icu")
  FROM described ORDER BY n DESC`;

/** Drops all indexes of leads except the primary key during the work and rebuilds them afterwards, which is faster. */
async function withoutIndexes(databaseUrl, work) {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows: indexes } = await client.query(
      `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'leads' AND indexname <> 'leads_pkey'`,
    );
    for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`);
    const result = await work(client);
    await client.query(`SET maintenance_work_mem = '256MB'`);
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query('VACUUM (ANALYZE) leads, lead_counts, api_keys');
    await client.query('CHECKPOINT');
    return result;
  } finally {
    await client.end();
  }
}

/**
 * Creates a workspace of each size, with one live key.
 *
 * @param {string} databaseUrl of an empty database; its schema is created here too
 * @param {number[]} sizes in leads
 * @param {string} scopes of the keys
 * @returns {Promise<{ size: number, token: string, leadIds: string[] }[]>} the keys, and some unarchived leads
 */
async function seedSizes(databaseUrl, sizes, scopes = 'leads:read,leads:write') {
  const workspaces = [];
  for (const size of sizes) {
    const workspace = await runGala(
      databaseUrl,
      ...['workspace', 'create', '--name', `${size}`, '--owner-email', 'owner@example.com', '--json'],
    );
    const { key } = await runGala(
      databaseUrl,
      ...['api-key', 'create', '--workspace', workspace.id, '--mode', 'live', '--name', 'Bench'],
      ...['--scopes', scopes, '--json'],
    );
    workspaces.push({ size, token: key, uuid: toUuid(workspace.id) });
  }
  return withoutIndexes(databaseUrl, async (client) => {
    const seeded = [];
    for (const { size, token, uuid } of workspaces) {
      await client.query(INSERT_LEADS, [uuid, size]);
      const { rows } = await client.query(
        'SELECT id FROM leads WHERE workspace_id = $1 AND archived_at IS NULL ORDER BY md5(id::text) LIMIT $2',
        [uuid, SAMPLE],
      );
      seeded.push({ size, token, leadIds: rows.map(({ id }) => fromUuid('lead', id)) });
    }
    return seeded;
  });
}

module.exports = { DOMAINS, FIRST_NAMES, LAST_NAMES, TAGS, seedSizes };
