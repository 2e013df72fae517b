'use strict';

/** Connections of single operations, and of the mixture. */
const CONNECTIONS = 32;
const MANY_CONNECTIONS = 64;

/**
 * The requests of each operation, with the expected statuses. Creates come late, because they make the lists longer.
 *
 * @returns {Record<string, { requests: Buffer[], statuses: number[], connections: number }>}
 */
function operationsFor(token, leadIds) {
  const head = (line) => `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const read = (path) => Buffer.from(`${head(`GET ${path}`)}\r\n`);
  const create = (n) => {
    const body = JSON.stringify(newLead(n));
    const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return Buffer.from(`${head('POST /v1/leads')}${headers}\r\n${body}`);
  };
  const gets = leadIds.map((id) => read(`/v1/leads/${id}`));
  const list = read('/v1/leads?limit=20');
  const creates = Array.from({ length: 1000 }, (_, n) => create(n));
  return {
    get: { statuses: [200], requests: gets, connections: CONNECTIONS },
    list: { statuses: [200], requests: [list], connections: CONNECTIONS },
    create: { statuses: [201], requests: creates, connections: CONNECTIONS },
    mixed: { statuses: [200, 201], requests: mixed(gets, list, creates), connections: MANY_CONNECTIONS },
  };
}

/** Seven gets, one list and two creates of ten requests. */
function mixed(gets, list, creates) {
  return Array.from({ length: gets.length }, (_, n) => {
    if (n % 10 === 4) return list;
    return n % 5 === 2 ? creates[n] : gets[n];
  });
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

module.exports = { newLead, operationsFor };
