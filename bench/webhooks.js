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
  SELECT workspace_id, mode, gen_random_uuid(), 'lead.created', now(), json_build_object('id', n)
  FROM webhook_endpoints, generate_series(1, $1::int) AS n`;

/** Answers at once, as receivers should, and tells of every delivery. */
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

/**
 * How long an event takes from its commit to its first attempt while a hundred leads a second are made, and how many
 * deliveries a second one endpoint gets out of a backlog.
 *
 * @returns {Promise<{ medianMs: number, p99Ms: number, perSecond: number }>}
 */
async function measureWebhooks({ gala, token, databaseUrl, newLead }) {
  const post = async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${gala.port}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.strictEqual(response.status, 201, await response.text());
  };
  const receiver = await startReceiver();
  try {
    await post('/v1/webhooks', { url: receiver.url, events: ['lead.created'] });
    const delays = await delaysUnderLoad(receiver, (n) => post('/v1/leads', newLead(n)));
    return { ...quantiles(delays), perSecond: await drain(receiver, databaseUrl) };
  } finally {
    receiver.stop();
  }
}

/** An event's time is that of its change, a moment before its commit. */
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

module.exports = { measureWebhooks };
