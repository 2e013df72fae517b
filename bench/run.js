'use strict';
/**
 * `npm run bench`: compares Gala with a bare server that does the same work (floor.js), on one database and in turns.
 * `--json` prints only the result on standard output.
 */
const assert = require('node:assert');
const { mkdtempSync, rmSync } = require('node:fs');
const { availableParallelism, tmpdir } = require('node:os');
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { acquire, atEnd, runToTheEnd, say } = require('./lifecycle');
const { load } = require('./load');
const { rounded, summarize, table } = require('./report');
const { newLead, operationsFor } = require('./requests');
const { measureStartUp } = require('./start-up');
const { measureWebhooks } = require('./webhooks');
const { build, residentMb, startFloor, startGala, stopServer } = require('./servers');

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

  say('Creating a workspace with 10,000 leads …');
  const { seed } = require('./seed');
  const { token, leadIds } = await seed(database.url);
  const floor = await acquire(startFloor(database.url, folder), stopServer);
  const gala = await acquire(startGala(database.url, folder), stopServer);

  await compareAnswers([floor, gala], token, leadIds[0]);
  await updateOnce(gala, token, leadIds[0]);
  const results = await measure(floor, gala, operationsFor(token, leadIds));
  say('Measuring webhooks …');
  const webhooks = await measureWebhooks({ gala, token, databaseUrl: database.url, newLead });
  await stopServer(gala);
  say('Measuring start-up …');
  print({ ...results, webhooks, startUp: await measureStartUp(database.url, folder) });
}

/** Asserts that both servers do the same work. Their cursors differ, because each has its own format. */
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

/** Runs a transaction first: from then on Node 20 tracks every promise for AsyncLocalStorage, as in any service in use. */
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
      return await load({ port: server.port, ...operation, seconds });
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

function print({ operations, memory, webhooks, startUp }) {
  const residentMb = { floor: rounded(memory.floor), gala: rounded(memory.gala) };
  if (!json) {
    const known = memory.gala ? `${Math.round(memory.gala)} MB` : 'unknown on this system';
    console.log(
      `\n${table(operations)}\n\n${sentence(webhooks)}\nGala's resident memory under load, at most: ${known}\n` +
        `From process start to the first answer: cold ${startUp.coldMs} ms, warm ${startUp.warmMs} ms`,
    );
    return;
  }
  const ratios = Object.fromEntries(Object.entries(operations).map(([name, { ratio }]) => [name, ratio]));
  const setup = { rounds: ROUNDS, roundSeconds: ROUND_SECONDS };
  const machine = { node: process.version, cpus: availableParallelism() };
  console.log(JSON.stringify({ ratios, operations, webhooks, startUp, residentMb, setup, machine }));
}

function sentence({ perSecond, medianMs, p99Ms }) {
  return (
    `Webhooks: ${perSecond} deliveries a second from a backlog; ` +
    `from a lead to the first attempt median ${medianMs} ms, p99 ${p99Ms} ms`
  );
}

runToTheEnd(main);
