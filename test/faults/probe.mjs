// Asks for one lead every 100 ms, whether or not the answer before has arrived, over one connection that it keeps, with
// further ones only while that is busy. It runs in a process of its own, so that what a test does besides doesn't count.
// Waits for the answers that are still due when it is ended, and tells their statuses and durations.
import http from 'node:http';

const INTERVAL_MS = 100;
const { baseUrl, key, localAddress } = JSON.parse(process.argv[2]);
const { hostname, port } = new URL(baseUrl);
const options = {
  agent: new http.Agent({ keepAlive: true, localAddress }),
  hostname,
  port,
  path: '/v1/leads?limit=1',
  headers: { Authorization: `Bearer ${key}` },
};
const statuses = {};
const durations = [];
const pending = new Set();

function ask() {
  return new Promise((resolve) => {
    http
      .get(options, (response) => {
        response.resume();
        response.on('close', () => resolve(response.complete ? String(response.statusCode) : 'failed'));
      })
      .on('error', () => resolve('failed'));
  });
}

function send() {
  const startedAt = performance.now();
  const sent = ask().then((status) => {
    durations.push(performance.now() - startedAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    pending.delete(sent);
  });
  pending.add(sent);
}

const timer = setInterval(send, INTERVAL_MS);
process.on('SIGTERM', async () => {
  clearInterval(timer);
  await Promise.all(pending);
  process.stdout.write(JSON.stringify({ statuses, durations }), () => process.exit());
});
process.stdout.write('ready\n');
