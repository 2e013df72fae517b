'use strict';
/**
 * `npm run bench -- scale`: how much slower requests get as a workspace grows from 1,000 to 1,000,000 leads. All sizes are in one
 * database and requested in turns, one request at a time. `--json` prints only the result on standard output.
 */
const { mkdtempSync, rmSync } = require('node:fs');
const { availableParallelism, tmpdir } = require('node:os');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { parseArgs } = require('node:util');
const { acquire, atEnd, runToTheEnd, say } = require('./lifecycle');
const { Connection } = require('./load');
const { aligned, quantiles, rounded } = require('./report');
const { build, startGala, stopServer } = require('./servers');

const SIZES = [1_000, 100_000, 1_000_000];
const REQUESTS = 200;
const WARM_UP = 10;
// Time for one operation on a slow machine.
const MAX_SECONDS = 15;
const MIN_REQUESTS = 20;
const DEPTHS = [0.1, 0.5, 0.9];

const { json } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
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
  say(`Creating workspaces with ${SIZES.map(grouped).join(', ')} leads (a minute or two) …`);
  const workspaces = await require('./scale-seed').seedSizes(database.url, SIZES);
  const gala = await acquire(startGala(database.url, folder), stopServer);
  const connection = new Connection(gala.port);
  atEnd(() => connection.close());

  const measured = {};
  for (const workspace of workspaces) workspace.cursors = await deepCursors(connection, workspace);
  for (const [name, operation] of Object.entries({ ...operations, ...searches() })) {
    say(`Measuring ${name} …`);
    measured[name] = await measure(connection, operation, workspaces);
  }
  print(measured);
}

const operations = {
  get: ({ leadIds }, n) => ({ path: `/v1/leads/${leadIds[n % leadIds.length]}` }),
  listPage1: () => ({ path: '/v1/leads' }),
  listByStage: () => ({ path: '/v1/leads?stage=proposal_sent' }),
  listPage1000: () => ({ path: '/v1/leads?page=1000' }),
  cursor: ({ cursors }, n) => ({ path: `/v1/leads?cursor=${cursors[n % cursors.length]}` }),
  create: (_, n) => ({
    method: 'POST',
    path: '/v1/leads',
    body: { name: `Rosa Blanco ${n}`, email: `rosa.${n}@example.net`, phone: '+34600123456', tags: ['vip'] },
  }),
  update: ({ leadIds }, n) => ({
    method: 'PATCH',
    path: `/v1/leads/${leadIds[n % leadIds.length]}`,
    body: { guests: 1000 + n, stage: n % 2 ? 'contacted' : 'negotiation' },
  }),
};

/** Kinds of searches. Words repeat only after all others were used. */
function searches() {
  const { DOMAINS, FIRST_NAMES, LAST_NAMES, TAGS } = require('./scale-seed');
  const frequent = [...FIRST_NAMES, ...LAST_NAMES, ...TAGS, ...DOMAINS];
  const at = (list, n) => list[n % list.length];
  const kinds = {
    'frequent word': (n) => at(frequent, n),
    'two words': (n) => `${at(FIRST_NAMES, n)} ${at(LAST_NAMES, n)}`,
    'two words and a tag': (n) => `${at(TAGS, n)} ${at(FIRST_NAMES, n)} ${at(LAST_NAMES, n * 7)}`,
    'part of an email address': (n) => `${at(LAST_NAMES, n)}${10 + (n % 90)}`,
    'digits of a number': (n) => `${600_000 + ((n * 7919) % 100_000)}`,
    'two letters': (n) => `${at('abcdefghijklm', n)}${at('nopqrstuvwxyz', n * 5)}`,
    'no hit': (n) => `xq${n}zw`,
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, word]) => [
      `search: ${kind}`,
      (_, n) => ({ path: `/v1/leads?q=${encodeURIComponent(word(n))}` }),
    ]),
  );
}

/** Cursors spread over the whole list. */
async function deepCursors(connection, workspace) {
  const cursors = [];
  for (const depth of DEPTHS) {
    const page = Math.round((workspace.size * 0.9 * depth) / 20);
    const { body } = await ask(connection, workspace, { path: `/v1/leads?page=${page}` });
    cursors.push(encodeURIComponent(JSON.parse(body).pagination.nextCursor));
  }
  return cursors;
}

/** The latencies of each workspace in ms, ordered by size. */
async function measure(connection, operation, workspaces) {
  const latencies = workspaces.map(() => []);
  // Warm-up requests, which aren't measured.
  for (let n = REQUESTS; n < REQUESTS + WARM_UP; n++) {
    for (const workspace of workspaces) await ask(connection, workspace, operation(workspace, n));
  }
  const endsAt = performance.now() + MAX_SECONDS * 1000;
  for (let n = 0; n < REQUESTS && (n < MIN_REQUESTS || performance.now() < endsAt); n++) {
    for (const [index, workspace] of workspaces.entries()) {
      const { tookMs } = await ask(connection, workspace, operation(workspace, n));
      latencies[index].push(tookMs);
    }
  }
  return latencies;
}

async function ask(connection, { token }, { method = 'GET', path, body }) {
  const text = body ? JSON.stringify(body) : '';
  const type = body ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` : '';
  const request = Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${type}\r\n${text}`,
  );
  const sentAt = performance.now();
  const answer = await connection.send(request);
  const tookMs = performance.now() - sentAt;
  if (answer.status >= 300)
    throw new Error(`${method} ${path} was answered:\n${answer.head}\n\n${answer.body}`);
  return { tookMs, body: answer.body };
}

function print(measured) {
  const searched = Object.entries(measured).filter(([name]) => name.startsWith('search: '));
  const all = {
    ...measured,
    search: SIZES.map((_, index) => searched.flatMap(([, latencies]) => latencies[index])),
  };
  const operations = Object.fromEntries(
    Object.entries(all).map(([name, latencies]) => {
      const sizes = latencies.map((ofSize) => {
        const { medianMs, p99Ms } = quantiles(ofSize);
        return { medianMs: rounded(medianMs), p99Ms: rounded(p99Ms) };
      });
      return [name, { growth: rounded(sizes.at(-1).medianMs / sizes[0].medianMs), sizes }];
    }),
  );
  if (json) {
    const growth = Object.fromEntries(
      ['get', 'create', 'update', 'listPage1', 'listByStage', 'listPage1000', 'cursor', 'search'].map(
        (name) => [name, operations[name].growth],
      ),
    );
    const machine = { node: process.version, cpus: availableParallelism() };
    console.log(JSON.stringify({ growth, sizes: SIZES, operations, setup: { requests: REQUESTS }, machine }));
    return;
  }
  const rows = Object.entries(operations).map(([name, { growth, sizes }]) => [
    name,
    ...sizes.map(({ medianMs, p99Ms }) => `${medianMs.toFixed(2)} / ${p99Ms.toFixed(2)}`),
    growth.toFixed(2),
  ]);
  console.log(aligned([['median / p99 in ms', ...SIZES.map(grouped), 'growth'], ...rows], 1));
}

function grouped(number) {
  return number.toLocaleString('en');
}

runToTheEnd(main);
