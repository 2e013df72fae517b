'use strict';
/**
 * `npm run bench -- soak --minutes 10`: Gala alone under the mixed load, to see whether its memory grows.
 * With `--events 500`, 500 events a second are also delivered to a webhook endpoint.
 * `--json` prints only the result on standard output.
 */
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { acquire, atEnd, runToTheEnd, say } = require('./lifecycle');
const { load } = require('./load');
const { aligned, median } = require('./report');
const { operationsFor } = require('./requests');
const { build, residentMb, startGala, stopServer } = require('./servers');
const { streamEvents } = require('./webhooks');

const SAMPLE_MS = 1000;

const { json, ...texts } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    events: { type: 'string', default: '0' },
  },
}).values;
const [minutes, eventsPerSecond] = [Number(texts.minutes), Number(texts.events)];

async function main() {
  if (!(minutes > 0)) throw new Error(`--minutes takes a number above 0, not "${texts.minutes}".`);
  if (!(eventsPerSecond >= 0)) throw new Error(`--events takes a number a second, not "${texts.events}".`);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'gala-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { openEmbeddedPostgres } = require('../dist/src/platform/embedded-postgres/embedded-postgres');
  const database = await acquire(
    openEmbeddedPostgres({ dataDirectory: folder, role: 'service', onProgress: say }),
    ({ stop }) => stop(),
  );
  const { token, leadIds } = await require('./seed').seed(database.url);
  const gala = await acquire(startGala(database.url, folder), stopServer);
  const { mixed } = operationsFor(token, leadIds);
  const events = eventsPerSecond
    ? await acquire(
        streamEvents({ gala, token, databaseUrl: database.url, perSecond: eventsPerSecond }),
        ({ stop }) => stop(),
      )
    : undefined;

  const rows = [];
  // The last period may be shorter than a minute.
  for (let left = minutes; left > 0; left--) {
    rows.push({ ...(await soakFor(Math.min(left, 1) * 60, gala, mixed)), events: events?.report() });
    say(`Minute ${rows.length} of ${Math.ceil(minutes)}: ${rows.at(-1).residentMb} MB …`);
  }
  print(rows);
}

async function soakFor(seconds, gala, operation) {
  const memory = [];
  const watch = setInterval(() => memory.push(residentMb(gala) ?? 0), SAMPLE_MS);
  try {
    const { perSecond, medianMs, p99Ms } = await load({ port: gala.port, ...operation, seconds });
    return {
      perSecond: Math.round(perSecond),
      medianMs,
      p99Ms,
      residentMb: Math.round(median(memory)),
      maxMb: Math.round(Math.max(...memory)),
    };
  } finally {
    clearInterval(watch);
  }
}

function print(rows) {
  if (json) return console.log(JSON.stringify({ minutes: rows }));
  const lines = rows.map((row, n) => [
    String(n + 1),
    String(row.perSecond),
    row.medianMs.toFixed(1),
    row.p99Ms.toFixed(1),
    String(row.residentMb),
    String(row.maxMb),
    ...(row.events
      ? [row.events.delivered, row.events.waiting, row.events.medianMs, row.events.p99Ms].map(String)
      : []),
  ]);
  const ofEvents = eventsPerSecond ? ['events', 'waiting', 'median ms', 'p99 ms'] : [];
  const head = ['minute', 'requests/s', 'median ms', 'p99 ms', 'MB (median)', 'MB (most)', ...ofEvents];
  console.log(`\n${aligned([head, ...lines], 0)}`);
}

runToTheEnd(main);
