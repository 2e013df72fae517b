'use strict';
const { execFile, execFileSync, spawn } = require('node:child_process');
const { openSync, readFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { promisify } = require('node:util');

const GALA = join(__dirname, '..', 'bin', 'gala.js');
const FLOOR = join(__dirname, 'floor.js');
const START_MS = 120_000;

/** The minimal environment of a child process, without the settings of the person who runs the benchmark. */
const environment = (own) => ({
  PATH: process.env.PATH,
  ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }),
  ...own,
});

/** Builds Gala if its sources are newer than its build. */
function build() {
  execFileSync(process.execPath, [GALA, '--help'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs a command of Gala's command line, away from any .env file, and returns the JSON it prints. */
async function runGala(databaseUrl, ...words) {
  const { stdout } = await promisify(execFile)(process.execPath, [GALA, ...words], {
    cwd: tmpdir(),
    env: environment({ DATABASE_URL: databaseUrl }),
  });
  return JSON.parse(stdout);
}

/**
 * Starts Gala as shipped, logging to a file, but without rate limits and with webhooks to this machine allowed. Without a database
 * URL it uses its embedded database.
 */
const startGala = (databaseUrl, folder) =>
  startServer('gala', [GALA, 'serve'], folder, {
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    RATE_LIMIT_READS: '1000000000',
    RATE_LIMIT_WRITES: '1000000000',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });

const startFloor = (databaseUrl, folder) =>
  startServer('floor', [FLOOR], folder, { DATABASE_URL: databaseUrl });

/** Starts a server process and waits until it answers with any status. */
async function startServer(name, command, folder, settings) {
  const port = await freePort();
  const logFile = join(folder, `${name}.log`);
  const output = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: environment({ ...settings, PORT: String(port) }),
    stdio: ['ignore', output, output],
  });
  const server = { name, port, child };
  const giveUpAt = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (child.exitCode === null && child.signalCode === null && Date.now() < giveUpAt) await sleep(20);
    else {
      await stopServer(server);
      throw new Error(`The server "${name}" doesn't answer. Its output:\n${readFileSync(logFile, 'utf8')}`);
    }
  }
  return { ...server, startMs: performance.now() - startedAt };
}

const stopServer = (server) => endServer(server, 'SIGKILL');

/** By default stops it with SIGTERM, as operators do, so that the embedded database stops too. */
async function endServer({ child }, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}

function answers(port) {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    () => true,
    () => false,
  );
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The process's resident memory in MB; undefined if the system doesn't report it. */
function residentMb({ child: { pid } }) {
  try {
    const kilobytes =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]
        : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

module.exports = { build, endServer, residentMb, runGala, startFloor, startGala, stopServer };
