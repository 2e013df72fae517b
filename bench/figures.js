'use strict';
/**
 * `npm run bench -- figures [--leads 1000000]`: how long reports take in a workspace with that many leads and three times as
 * many stays, what gets take meanwhile, and what recording figures costs a change of stage.
 */
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { parseArgs } = require('node:util');
const { Client } = require('pg');
const { seedFigures } = require('./figures-seed');
const { acquire, atEnd, runToTheEnd, say } = require('./lifecycle');
const { Connection } = require('./load');
const { aligned, median, quantiles, rounded } = require('./report');
const { build, startGala, stopServer } = require('./servers');

const REPEATS = 7;
const GETS = 2000;
const ROUNDS = 7;
const CHANGES = 150;
const DAY_MS = 86_400_000;
/** What a change of stage runs for figures. */
const RECORDING = [
  ['leads', 'lead_journeys_on_update'],
  ['lead_stage_changes', 'lead_stage_changes_answer_added'],
];

const { leads, json } = parseArgs({
  allowPositionals: true,
  options: { leads: { type: 'string', default: '1000000' }, json: { type: 'boolean', default: false } },
}).values;

async function main() {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'gala-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { openEmbeddedPostgres } = require('../dist/src/platform/embedded-postgres/embedded-postgres');
  const database = await acquire(
    openEmbeddedPostgres({ dataDirectory: folder, role: 'service', onProgress: say }),
    ({ stop }) => stop(),
  );
  say(`Creating ${Number(leads).toLocaleString('en')} leads with their stays (some minutes) …`);
  const workspace = await seedFigures(database.url, Number(leads));
  const gala = await acquire(startGala(database.url, folder), stopServer);
  // The service closes connections that are idle, so gets have one of their own when they begin.
  const connect = () => {
    const connection = new Connection(gala.port);
    atEnd(() => connection.close());
    return connection;
  };
  const asking = connect();

  const reports = {};
  for (const [name, { path, atMostMs }] of Object.entries(reportsOf())) {
    say(`Measuring ${name} …`);
    const took = [];
    for (let count = 0; count <= REPEATS; count++) {
      const sentAt = performance.now();
      await ask(asking, workspace, path);
      // The first one warms the cache.
      if (count > 0) took.push(performance.now() - sentAt);
    }
    reports[name] = { ...rounded2(quantiles(took)), atMostMs };
    say(`  ${reports[name].medianMs} ms, at most ${atMostMs}`);
  }
  say('Measuring gets beside reports …');
  const gets = await measureGets(asking, connect(), workspace);
  say('Measuring changes of stage with and without recording …');
  const changes = await measureChanges(database.url, asking, workspace);
  print({ reports, gets, changes });
}

const rounded2 = ({ medianMs, p99Ms }) => ({ medianMs: rounded(medianMs), p99Ms: rounded(p99Ms) });

/** With the times that they may take on two cores. */
function reportsOf() {
  const day = (daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const month = `from=${day(31)}&to=${day(1)}`;
  const year = `from=${day(365)}&to=${day(1)}`;
  return {
    'responses, a month by source': { path: `responses?${month}&groupBy=source`, atMostMs: 150 },
    'outcomes, a month by source': { path: `outcomes?${month}&groupBy=source`, atMostMs: 150 },
    'responses, a year by month': { path: `responses?${year}&interval=month`, atMostMs: 1200 },
    'outcomes, a year by month': { path: `outcomes?${year}&interval=month`, atMostMs: 1200 },
    'funnel, a year': { path: `funnel?${year}`, atMostMs: 1500 },
    'funnel, a year by entry': { path: `funnel?${year}&basis=entered`, atMostMs: 1500 },
    'unanswered, page 1': { path: 'unanswered', atMostMs: 20 },
  };
}

/** The p50 of gets alone, and while reports of a year run one after the other. */
async function measureGets(asking, getting, workspace) {
  const alone = await timesOfGets(getting, workspace);
  let isReporting = true;
  const { path } = reportsOf()['outcomes, a year by month'];
  const reporting = (async () => {
    while (isReporting) await ask(asking, workspace, path);
  })();
  const beside = await timesOfGets(getting, workspace);
  isReporting = false;
  await reporting;
  return {
    aloneMs: rounded(median(alone)),
    besideMs: rounded(median(beside)),
    ratio: rounded(median(beside) / median(alone)),
  };
}

async function timesOfGets(connection, { token, leadIds }) {
  const took = [];
  for (let count = 0; count < GETS; count++) {
    const sentAt = performance.now();
    await request(connection, token, 'GET', `/v1/leads/${leadIds[count % leadIds.length]}`);
    took.push(performance.now() - sentAt);
  }
  return took;
}

/** In turns, so that a slowdown of the machine affects both. */
async function measureChanges(databaseUrl, connection, { token, leadIds }) {
  const client = new Client(databaseUrl);
  await client.connect();
  atEnd(() => client.end());
  const ratios = [];
  let count = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const perSecond = {};
    for (const change of round % 2 ? ['DISABLE', 'ENABLE'] : ['ENABLE', 'DISABLE']) {
      for (const [table, trigger] of RECORDING)
        await client.query(`ALTER TABLE ${table} ${change} TRIGGER ${trigger}`);
      const startedAt = performance.now();
      for (let each = 0; each < CHANGES; each++, count++) {
        const stage = Math.floor(count / leadIds.length) % 2 ? 'contacted' : 'negotiation';
        await request(connection, token, 'PATCH', `/v1/leads/${leadIds[count % leadIds.length]}`, { stage });
      }
      perSecond[change] = CHANGES / (performance.now() - startedAt);
    }
    if (round > 0) ratios.push(perSecond.ENABLE / perSecond.DISABLE);
  }
  for (const [table, trigger] of RECORDING)
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${trigger}`);
  return { ratio: rounded(median(ratios)) };
}

const ask = (connection, { token }, path) => request(connection, token, 'GET', `/v1/reports/${path}`);

async function request(connection, token, method, path, body) {
  const text = body ? JSON.stringify(body) : '';
  const type = body ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` : '';
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${type}\r\n`;
  const answer = await connection.send(Buffer.from(head + text));
  if (answer.status >= 300)
    throw new Error(`${method} ${path} was answered:\n${answer.head}\n\n${answer.body}`);
}

function print({ reports, gets, changes }) {
  if (json) return void console.log(JSON.stringify({ reports, gets, changes }));
  const rows = Object.entries(reports).map(([name, { medianMs, p99Ms, atMostMs }]) => [
    ...[name, medianMs.toFixed(1), p99Ms.toFixed(1), String(atMostMs)],
  ]);
  console.log(aligned([['', 'median ms', 'p99 ms', 'at most'], ...rows], 1));
  console.log(
    `gets beside reports: ${gets.besideMs} ms, alone ${gets.aloneMs} ms: ${gets.ratio} (at most 1.2)`,
  );
  console.log(`changes of stage with recording: ${changes.ratio} of those without (at least 0.92)`);
}

runToTheEnd(main);
