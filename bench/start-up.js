'use strict';
const { mkdirSync } = require('node:fs');
const { join } = require('node:path');
const { median } = require('./report');
const { endServer, startGala } = require('./servers');

const STARTS = 3;

/**
 * From the start of the process to its first answer. Cold: with an embedded PostgreSQL that has yet to be set up and
 * migrated. Warm: on a database that is there.
 *
 * @returns {Promise<{ coldMs: number, warmMs: number }>} the warm one is the median of several
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
