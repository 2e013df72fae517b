'use strict';
/**
 * `npm run bench -- import`: imports a file of 1,000,000 rows, or as many as `--rows` says, in turns with nothing else.
 * `--json` prints only the result on standard output.
 */
const { mkdtempSync, rmSync } = require('node:fs');
const { availableParallelism, tmpdir } = require('node:os');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { parseArgs } = require('node:util');
const { acquire, atEnd, runToTheEnd, say } = require('./lifecycle');
const { build, residentMb, startGala, stopServer } = require('./servers');

const { json, rows: given } = parseArgs({
  args: process.argv.slice(3),
  options: { json: { type: 'boolean', default: false }, rows: { type: 'string', default: '1000000' } },
}).values;
const ROWS = Number(given);
const POLL_MS = 250;

async function main() {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'gala-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { openEmbeddedPostgres } = require('../dist/src/platform/embedded-postgres/embedded-postgres');
  const database = await acquire(
    openEmbeddedPostgres({ dataDirectory: folder, role: 'service', onProgress: say }),
    ({ stop }) => stop(),
  );
  const { seed } = require('./seed');
  const { token } = await seed(database.url);
  const gala = await acquire(startGala(database.url, folder), stopServer);
  const call = async (method, path, body, type = 'application/json') => {
    const response = await fetch(`http://127.0.0.1:${gala.port}/v1/imports${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': type }) },
      ...(body && { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  let memory = 0;
  const watch = setInterval(() => (memory = Math.max(memory, residentMb(gala) ?? 0)), 100);
  const ends = async (id, status) => {
    const startedAt = performance.now();
    for (;;) {
      const state = await call('GET', `/${id}`);
      if (state.status !== status) return { state, seconds: (performance.now() - startedAt) / 1000 };
      await sleep(POLL_MS);
    }
  };
  const results = {};
  for (const matchBy of ['none', 'email']) {
    const { id } = await call('POST', '', JSON.stringify({ matchBy }));
    say(`Uploading ${ROWS} rows …`);
    const startedAt = performance.now();
    await call('POST', `/${id}/file`, file(matchBy), 'text/csv');
    const uploadSeconds = (performance.now() - startedAt) / 1000;
    say('Checking …');
    const checked = await ends(id, 'checking');
    if (checked.state.status !== 'ready') throw new Error(JSON.stringify(checked.state.failure));
    say('Importing …');
    await call('POST', `/${id}/start`);
    const imported = await ends(id, 'importing');
    if (imported.state.created !== ROWS) throw new Error(JSON.stringify(imported.state));
    results[matchBy] = {
      uploadSeconds: round(uploadSeconds),
      checkSeconds: round(checked.seconds),
      importSeconds: round(imported.seconds),
      rowsPerSecond: Math.round(ROWS / imported.seconds),
    };
  }
  clearInterval(watch);
  print({
    rows: ROWS,
    ...results,
    residentMb: round(memory),
    machine: { node: process.version, cpus: availableParallelism() },
  });
}

function file(name) {
  const lines = Array.from(
    { length: ROWS },
    (_, n) =>
      `Lead ${n},${name}${n}@example.com,+3460${String(n).padStart(7, '0')},2027-0${1 + (n % 9)}-1${n % 10},${1 + (n % 300)},fair,"vip, garden"`,
  );
  return Buffer.from(`Name,Email,Phone,Event date,Guests,Source,Tags\n${lines.join('\n')}\n`);
}

const round = (value) => Math.round(value * 10) / 10;

function print(result) {
  if (json) return console.log(JSON.stringify(result));
  const line = (name, { uploadSeconds, checkSeconds, importSeconds, rowsPerSecond }) =>
    `${name}: upload ${uploadSeconds} s, check ${checkSeconds} s, import ${importSeconds} s (${rowsPerSecond} rows a second)`;
  console.log(
    `${result.rows} rows.\n${line('New leads', result.none)}\n${line('Matched by email', result.email)}\n` +
      `Gala's resident memory, at most: ${result.residentMb} MB`,
  );
}

runToTheEnd(main);
