'use strict';
const assert = require('node:assert');
const { createServer } = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');
const { Client } = require('pg');
const { quantiles } = require('./report');

const PER_SECOND = 100;
const SECONDS = 10;
const BACKLOG = 10_000;

const INSERT_EVENTS = `
  INSERT INTO events (workspace_id, mode, id, type, occurred_at, data)
  SELECT workspace_id, mode, gen_random_uuid(), events[1], now(), json_build_object('id', n)
  FROM webhook_endpoints, generate_series(1, $1::int) AS n`;

/** Starts a receiver that answers at once, as receivers should, and reports every delivery. */
async function startReceiver() {
  const receiver = { arrived: () => undefined };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      receiver.arrived(Buffer.concat(chunks));
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${server.address().port}/`;
  receiver.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}

function poster({ port }, token) {
  return async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.strictEqual(response.status, 201, await response.text());
  };
}

/**
 * Writes events for one endpoint at a constant rate, of a type that nothing else here causes.
 *
 * @returns {Promise<{ report: () => { delivered: number, waiting: number, medianMs: number, p99Ms: number },
 *   stop: () => Promise<void> }>} a report covers the deliveries since the previous one, in ms from commit to first attempt
 */
async function streamEvents({ gala, token, databaseUrl, perSecond }) {
  const receiver = await startReceiver();
  await poster(gala, token)('/v1/webhooks', { url: receiver.url, events: ['lead.restored'] });
  const client = new Client(databaseUrl);
  await client.connect();
  let delays = [];
  let [written, delivered] = [0, 0];
  receiver.arrived = (body) => {
    delivered++;
    delays.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
  };
  const startedAt = Date.now();
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      const due = Math.floor(((Date.now() - startedAt) / 1000) * perSecond) - written;
      if (due > 0) await client.query(INSERT_EVENTS, [due]);
      written += due;
      await sleep(10);
    }
  })();
  return {
    report: () => {
      const report = { delivered: delays.length, waiting: written - delivered, ...quantiles(delays) };
      delays = [];
      return report;
    },
    stop: async () => {
      isOver = true;
      await writing;
      await client.end();
      receiver.stop();
    },
  };
}

/**
 * The time from an event's commit to its first attempt at a hundred new leads a second, and the deliveries a second that one
 * endpoint gets from a backlog.
 *
 * @returns {Promise<{ medianMs: number, p99Ms: number, perSecond: number }>}
 */
async function measureWebhooks({ gala, token, databaseUrl, newLead }) {
  const post = poster(gala, token);
  const receiver = await startReceiver();
  try {
    await post('/v1/webhooks', { url: receiver.url, events: ['lead.created'] });
    const delays = await delaysUnderLoad(receiver, (n) => post('/v1/leads', newLead(n)));
    return { ...quantiles(delays), perSecond: await drain(receiver, databaseUrl) };
  } finally {
    receiver.stop();
  }
}

/** Measures from the event's timestamp, which is shortly before its commit. */
async function delaysUnderLoad(receiver, createLead) {
  const delays = [];
  receiver.arrived = (body) => delays.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
  const startedAt = Date.now();
  const made = [];
  while (made.length < PER_SECOND * SECONDS) {
    const due = ((Date.now() - startedAt) / 1000) * PER_SECOND;
    while (made.length < due) made.push(createLead(made.length));
    await sleep(5);
  }
  await Promise.all(made);
  while (delays.length < made.length) await sleep(5);
  return delays;
}

async function drain(receiver, databaseUrl) {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    let left = BACKLOG;
    const drained = new Promise((resolve) => {
      receiver.arrived = () => {
        if (--left === 0) resolve();
      };
    });
    await client.query(INSERT_EVENTS, [BACKLOG]);
    const startedAt = performance.now();
    await drained;
    return Math.round((BACKLOG / (performance.now() - startedAt)) * 1000);
  } finally {
    await client.end();
  }
}

module.exports = { measureWebhooks, streamEvents };
