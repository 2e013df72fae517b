'use strict';
/**
 * The floor server that Gala is compared with: bare node:http and pg with the same reads, writes and JSON, but without
 * framework, validation, rate limiting or logging. No Node service that does this work can be much faster. It shares
 * only Gala's ids.
 */
const { createHash } = require('node:crypto');
const { createServer } = require('node:http');
const { Pool, types } = require('pg');
const { fromUuid, newId, parseId, toUuid } = require('../dist/src/kernel/ids');

const OUTCOMES = { confirmed: 'won', completed: 'won', lost: 'lost' };
const DATE = 1082;
types.setTypeParser(DATE, (text) => text);

const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10, // as many as Gala's
  options: '-c DateStyle=ISO -c TimeZone=UTC',
});

const COLUMNS =
  'id, name, email, phone, event_date, guests, source, stage, tags, outcome, ' +
  'lost_reason_id, lost_note, owner_id, external_id, custom, archived_at, created_at, updated_at';
const LISTED = 'workspace_id = $1 AND mode = $2 AND archived_at IS NULL';

/** Each statement is parsed and planned once per connection. */
const STATEMENTS = {
  key: `SELECT workspace_id, mode, scopes FROM api_keys
    WHERE hash = $1 AND revoked_at IS NULL AND coalesce(least(expires_at, grace_ends_at) > now(), true)`,
  get: `SELECT ${COLUMNS} FROM leads WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
  list: `SELECT counted.total, page.* FROM (SELECT count(*)::int AS total FROM leads WHERE ${LISTED}) AS counted
    LEFT JOIN (SELECT ${COLUMNS} FROM leads WHERE ${LISTED} ORDER BY created_at DESC, id DESC
      LIMIT $3::bigint + 1 OFFSET $4::bigint) AS page ON true
    ORDER BY created_at DESC, id DESC`,
  create: `WITH appended AS (
      INSERT INTO events (id, workspace_id, mode, type, occurred_at, data, previous)
      VALUES ($22, $1, $2, 'lead.created', $19, $23, NULL))
    INSERT INTO leads (workspace_id, mode, ${COLUMNS}, search_text)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
};

async function query(name, values) {
  return (await pool.query({ name, text: STATEMENTS[name], values })).rows;
}

async function answer(request, response) {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const [key] = token ? await query('key', [createHash('sha256').update(token).digest()]) : [];
  if (!key) return send(response, 401, { error: { code: 'unauthorized' } });
  if (!key.scopes.includes(request.method === 'GET' ? 'leads:read' : 'leads:write'))
    return send(response, 403, { error: { code: 'forbidden' } });
  const [path, parameters] = request.url.split('?');
  if (path === '/v1/leads' && request.method === 'GET')
    return send(response, 200, await list(key, new URLSearchParams(parameters)));
  if (path === '/v1/leads' && request.method === 'POST') {
    const lead = await create(key, JSON.parse(await textOf(request)));
    return send(response, 201, lead, { Location: `/v1/leads/${lead.id}` });
  }
  const lead = path.startsWith('/v1/leads/') && (await get(key, path.slice('/v1/leads/'.length)));
  return lead ? send(response, 200, lead) : send(response, 404, { error: { code: 'not_found' } });
}

async function get({ workspace_id, mode }, id) {
  if (!parseId('lead', id)) return undefined;
  const [row] = await query('get', [workspace_id, mode, toUuid(id)]);
  return row && toLead(row);
}

async function list({ workspace_id, mode }, parameters) {
  const limit = Math.min(Number(parameters.get('limit') ?? 20), 100);
  const page = Number(parameters.get('page') ?? 1);
  const rows = await query('list', [workspace_id, mode, limit, (page - 1) * limit]);
  const { total } = rows[0];
  const data = rows[0].id === null ? [] : rows.slice(0, limit).map(toLead);
  const hasNext = rows.length > limit;
  return {
    data,
    pagination: {
      page,
      limit,
      total,
      pages: Math.ceil(total / limit),
      hasNext,
      hasPrev: page > 1 && total > 0,
      nextCursor: hasNext ? toCursor(page + 1, data.at(-1)) : null,
    },
  };
}

async function create({ workspace_id, mode }, fields) {
  const now = new Date();
  const lead = {
    id: newId('lead'),
    name: fields.name ?? null,
    email: fields.email,
    phone: fields.phone ?? null,
    eventDate: fields.eventDate ?? null,
    guests: fields.guests ?? null,
    source: fields.source ?? null,
    stage: fields.stage ?? 'new_enquiry',
    tags: fields.tags ?? [],
    outcome: 'open',
    lostReasonId: null,
    lostNote: null,
    ownerId: null,
    externalId: null,
    custom: {},
    archivedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const { id, ...written } = lead;
  const searched = [lead.name, lead.email, lead.phone, ...lead.tags].filter(Boolean).join('\n').toLowerCase();
  await query('create', [
    workspace_id,
    mode,
    toUuid(id),
    ...Object.values(written),
    searched,
    toUuid(newId('evt')),
    JSON.stringify(lead),
  ]);
  return lead;
}

function toLead(row) {
  return {
    id: fromUuid('lead', row.id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    eventDate: row.event_date,
    guests: row.guests,
    source: row.source,
    stage: row.stage,
    tags: row.tags,
    // Of the stages that every workspace begins with the key alone decides.
    outcome: OUTCOMES[row.stage] ?? 'open',
    lostReasonId: null,
    lostNote: null,
    ownerId: row.owner_id && fromUuid('user', row.owner_id),
    externalId: row.external_id,
    custom: row.custom,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toCursor(page, { createdAt, id }) {
  return Buffer.from(JSON.stringify([page, createdAt, id])).toString('base64url');
}

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function send(response, status, value, headers = {}) {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    send(response, 500, { error: { code: 'server_error' } });
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
