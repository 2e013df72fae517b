'use strict';
const { mkdirSync } = require('node:fs');
const { join } = require('node:path');
const { median } = require('./report');
const { endServer, startGala } = require('./servers');

const STARTS = 3;

/**
 * The time from process start to the first answer. Cold: with an embedded PostgreSQL that has to be set up and migrated.
 * Warm: with an existing database.
 *
 * @returns {Promise<{ coldMs: number, warmMs: number }>} `warmMs` is the median of several starts
 */
async function measureStartUp(databaseUrl, folder) {
  const cold = join(folder, 'cold');
  mkdirSync(cold);
  const first = await startGala(undefined, cold);
  await endServer(first);
  const warm = [];
  for (let start = 0; start < STARTS; start++) {
    const gala = await startGala(databaseUrl, folder);
    await endServer(gala);
    warm.push(gala.startMs);
  }
  return { coldMs: Math.round(first.startMs), warmMs: Math.round(median(warm)) };
}

module.exports = { measureStartUp };
