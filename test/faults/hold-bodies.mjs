// Holds connections on which it has sent a part of a body, and opens them again when they are closed. It runs in a
// process of its own, so that a probe doesn't wait for it. Tells the statuses of its answers when it is ended.
import { connect } from 'node:net';

const { port, groups } = JSON.parse(process.argv[2]);
const ZEROS = Buffer.alloc(4 * 1024 * 1024, 'x');
const statuses = {};

function hold(group) {
  const { localAddress, path, length, sent, trickle, authorization } = group;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const type = /^\/(v1|channels)/.test(path) ? 'application/json' : 'application/x-www-form-urlencoded';
  const headers = [`Content-Type: ${type}`, `Content-Length: ${length}`];
  if (authorization) headers.push(`Authorization: ${authorization}`);
  socket.write([`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n'));
  socket.write(ZEROS.subarray(0, sent));
  const timer = trickle && setInterval(() => socket.write(ZEROS.subarray(0, trickle)), 1000);
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1')) ?? [];
    if (status) statuses[status] = (statuses[status] ?? 0) + 1;
  });
  socket.on('close', () => {
    clearInterval(timer);
    setTimeout(hold, 5000, group);
  });
}

for (const { count, ...group } of groups) for (let index = 0; index < count; index++) hold(group);
process.on('SIGTERM', () => process.stdout.write(JSON.stringify(statuses), () => process.exit()));
