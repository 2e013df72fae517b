'use strict';
/**
 * `npm run bench`: how fast Gala answers beside a bare server that does the same work (floor.js), on one database and
 * in turns. `--json` prints the result alone on standard output.
 */
const assert = require('node:assert');
const { mkdtempSync, rmSync } = require('node:fs');
const { availableParallelism, tmpdir } = require('node:os');
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { acquire, atEnd, runToTheEnd, say } = require('./lifecycle');
const { load } = require('./load');
const { rounded, summarize, table } = require('./report');
const { measureWebhooks } = require('./webhooks');
const { build, residentMb, startFloor, startGala, stopServer } = require('./servers');

const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_SECONDS = 3;
const WARM_UP_SECONDS = 3;
const MEMORY_INTERVAL_MS = 100;

const { json } = parseArgs({ options: { json: { type: 'boolean', default: false } } }).values;
async function main() {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'gala-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { openEmbeddedPostgres } = require('../dist/src/platform/embedded-postgres/embedded-postgres');
  const database = await acquire(
    openEmbeddedPostgres({ dataDirectory: folder, role: 'service', onProgress: say }),
    ({ stop }) => stop(),
  );

  say('Making a workspace with 10,000 leads …');
  const { seed } = require('./seed');
  const { token, leadIds } = await seed(database.url);
  const floor = await acquire(startFloor(database.url, folder), stopServer);
  const gala = await acquire(startGala(database.url, folder), stopServer);

  await compareAnswers([floor, gala], token, leadIds[0]);
  await updateOnce(gala, token, leadIds[0]);
  const results = await measure(floor, gala, operationsFor(token, leadIds));
  say('Measuring webhooks …');
  const webhooks = await measureWebhooks({ gala, token, databaseUrl: database.url, newLead });
  print({ ...results, webhooks });
}

/** Creating comes last, since it makes what is listed longer. */
function operationsFor(token, leadIds) {
  const head = (line) => `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const read = (path) => Buffer.from(`${head(`GET ${path}`)}\r\n`);
  const create = (fields) => {
    const body = JSON.stringify(fields);
    const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return Buffer.from(`${head('POST /v1/leads')}${headers}\r\n${body}`);
  };
  return {
    get: { status: 200, requests: leadIds.map((id) => read(`/v1/leads/${id}`)) },
    list: { status: 200, requests: [read('/v1/leads?limit=20')] },
    create: { status: 201, requests: Array.from({ length: 1000 }, (_, n) => create(newLead(n))) },
  };
}

function newLead(n) {
  return {
    name: `Ana Pérez ${n}`,
    email: `ana.${n}@example.com`,
    phone: '+34600123456',
    eventDate: '2027-06-12',
    guests: 20 + (n % 280),
    source: 'website',
    tags: ['wedding', 'garden'],
  };
}

/** Two servers that don't do the same work can't be compared. Their cursors differ: each knows only its own. */
async function compareAnswers(servers, token, leadId) {
  const ask = async ({ port }, path, key = token, body = undefined) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const pages = [];
  for (const server of servers) {
    assert.strictEqual((await ask(server, '/v1/leads', `${token}x`)).status, 401);
    assert.strictEqual((await ask(server, '/v1/leads/lead_none')).status, 404);
    const [lead, page] = [await ask(server, `/v1/leads/${leadId}`), await ask(server, '/v1/leads?limit=20')];
    assert.strictEqual(page.body.data.length, 20);
    page.body.pagination.nextCursor = typeof page.body.pagination.nextCursor;
    pages.push({ lead, page });
  }
  assert.deepStrictEqual(pages[1], pages[0]);
  const created = [];
  for (const server of servers) {
    const { status, body } = await ask(server, '/v1/leads', token, newLead(0));
    created.push({ status, body: { ...body, id: '', createdAt: '', updatedAt: '' } });
    assert.deepStrictEqual((await ask(server, `/v1/leads/${body.id}`)).body, body);
  }
  assert.deepStrictEqual(created[1], created[0]);
}

/** From its first transaction on, Node 20 follows every promise for AsyncLocalStorage: a service in use always pays that. */
async function updateOnce({ port }, token, leadId) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/leads/${leadId}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ guests: 99 }),
  });
  assert.strictEqual(response.status, 200);
}

async function measure(floor, gala, operations) {
  const memory = { floor: 0, gala: 0 };
  const run = async (server, operation, seconds) => {
    const watch = setInterval(() => {
      memory[server.name] = Math.max(memory[server.name], residentMb(server) ?? 0);
    }, MEMORY_INTERVAL_MS);
    try {
      return await load({ port: server.port, ...operation, connections: CONNECTIONS, seconds });
    } finally {
      clearInterval(watch);
    }
  };
  const results = {};
  for (const [name, operation] of Object.entries(operations)) {
    say(`Measuring ${name}: ${ROUNDS} rounds of ${ROUND_SECONDS} s for each server …`);
    for (const server of [floor, gala]) await run(server, operation, WARM_UP_SECONDS);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const measured = {};
      for (const server of round % 2 ? [gala, floor] : [floor, gala])
        measured[server.name] = await run(server, operation, ROUND_SECONDS);
      rounds.push(measured);
    }
    results[name] = summarize(rounds);
  }
  return { operations: results, memory };
}

function print({ operations, memory, webhooks }) {
  const residentMb = { floor: rounded(memory.floor), gala: rounded(memory.gala) };
  if (!json) {
    const known = memory.gala ? `${Math.round(memory.gala)} MB` : 'unknown on this system';
    console.log(
      `\n${table(operations)}\n\n${sentence(webhooks)}\nGala's resident memory under load, at most: ${known}`,
    );
    return;
  }
  const ratios = Object.fromEntries(Object.entries(operations).map(([name, { ratio }]) => [name, ratio]));
  const setup = { connections: CONNECTIONS, rounds: ROUNDS, roundSeconds: ROUND_SECONDS };
  const machine = { node: process.version, cpus: availableParallelism() };
  console.log(JSON.stringify({ ratios, operations, webhooks, residentMb, setup, machine }));
}

function sentence({ perSecond, medianMs, p99Ms }) {
  return (
    `Webhooks: ${perSecond} deliveries a second out of a backlog; ` +
    `from a lead to the first attempt median ${medianMs} ms, p99 ${p99Ms} ms`
  );
}

runToTheEnd(main);
