'use strict';
/**
 * `npm run bench -- export`: rows a second and memory of an export of 1,000,000 leads, in both formats, while leads are created
 * and changed. Checks that none is missing and none there twice.
 */
const http = require('node:http');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { setTimeout: sleep } = require('node:timers/promises');
const { Client } = require('pg');
const { acquire, atEnd, runToTheEnd, say } = require('./lifecycle');
const { build, residentMb, startGala, stopServer } = require('./servers');

const LEADS = Number(process.env.LEADS ?? 1_000_000);
const PAUSE_MS = 20;

async function main() {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'gala-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { openEmbeddedPostgres } = require('../dist/src/platform/embedded-postgres/embedded-postgres');
  const database = await acquire(
    openEmbeddedPostgres({ dataDirectory: folder, role: 'service', onProgress: say }),
    ({ stop }) => stop(),
  );
  say(`Creating ${LEADS.toLocaleString('en')} leads …`);
  const [workspace] = await require('./scale-seed').seedSizes(database.url, [LEADS]);
  const gala = await acquire(startGala(database.url, folder), stopServer);
  const expected = await countLeads(database.url);
  for (const format of ['csv', 'jsonl']) {
    let isWriting = true;
    const writing = write(gala.port, workspace, () => isWriting);
    const { rows, ids, seconds, megabytes, least, most } = await read(gala, workspace, format);
    isWriting = false;
    const written = await writing;
    const speed = Math.round(rows / seconds).toLocaleString('en');
    console.log(
      `${format}: ${rows.toLocaleString('en')} rows, ${megabytes.toFixed()} MB in ${seconds.toFixed(1)} s: ${speed} rows/s, ` +
        `memory ${least.toFixed()} to ${most.toFixed()} MB, ${written} writes meanwhile`,
    );
    if (ids !== rows) throw new Error(`${rows - ids} rows are repeated.`);
    if (rows < expected) throw new Error(`${expected - rows} rows are missing.`);
  }
}

async function countLeads(url) {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS leads FROM leads WHERE archived_at IS NULL');
  await client.end();
  return rows[0].leads;
}

/** Reads an export like a client that only stores it: ids are looked for afterwards in what a row begins with. */
function read({ port, child }, { token }, format) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let [bytes, rows, least, most] = [0, 0, Infinity, 0];
    const ids = new Set();
    const headers = { Authorization: `Bearer ${token}` };
    const path = `/v1/exports/leads?format=${format}`;
    http
      .get({ port, path, headers }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${response.statusCode}`));
        const memory = setInterval(() => {
          const now = residentMb({ child });
          [least, most] = [Math.min(least, now), Math.max(most, now)];
        }, 200);
        let rest = '';
        response.on('data', (chunk) => {
          bytes += chunk.length;
          const lines = (rest + chunk.toString('latin1')).split('\n');
          rest = lines.pop();
          for (const line of lines) {
            const id = /lead_([0-9a-z]{26})/.exec(line.slice(0, 40))?.[1];
            if (!id) continue;
            rows++;
            ids.add(id);
          }
        });
        response.on('error', reject);
        response.on('end', () => {
          clearInterval(memory);
          const seconds = (performance.now() - startedAt) / 1000;
          resolve({ rows, ids: ids.size, seconds, megabytes: bytes / 1e6, least, most });
        });
      })
      .on('error', reject);
  });
}

/** Creates and changes leads, one after the other. */
async function write(port, { token, leadIds }, goesOn) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  let count = 0;
  while (goesOn()) {
    const id = leadIds[count % leadIds.length];
    const isNew = count % 2 === 0;
    const response = await fetch(`http://127.0.0.1:${port}/v1/leads${isNew ? '' : `/${id}`}`, {
      method: isNew ? 'POST' : 'PATCH',
      headers,
      body: JSON.stringify({ email: `new.${count}@example.com`, guests: 1 + (count % 1000) }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    count++;
    await sleep(PAUSE_MS);
  }
  return count;
}

runToTheEnd(main);
