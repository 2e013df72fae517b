'use strict';
const { connect } = require('node:net');
const { performance } = require('node:perf_hooks');
const { quantiles } = require('./report');

/**
 * Sends the requests in turn over keep-alive connections. Each connection waits for its answer before it sends the next
 * request. It uses bare sockets, because the generator takes CPU time from the measured servers.
 *
 * @param {{ port: number, requests: Buffer[], statuses: number[], connections: number, seconds: number }} options
 * @returns {Promise<{ perSecond: number, medianMs: number, p99Ms: number }>} rejects on any answer with another status
 */
async function load({ port, requests, statuses, connections, seconds }) {
  const latencies = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let next = 0;
  const open = Array.from({ length: connections }, () => new Connection(port));
  try {
    await Promise.all(
      open.map(async (connection) => {
        for (let sentAt = startedAt; sentAt < endsAt;) {
          sentAt = performance.now();
          const answer = await connection.send(requests[next++ % requests.length]);
          if (!statuses.includes(answer.status))
            throw new Error(
              `Expected status ${statuses.join(' or ')}, got:\n${answer.head}\n\n${answer.body}`,
            );
          latencies.push(performance.now() - sentAt);
        }
      }),
    );
  } finally {
    for (const connection of open) connection.close();
  }
  const took = performance.now() - startedAt;
  return { perSecond: (latencies.length / took) * 1000, ...quantiles(latencies) };
}

/** A keep-alive connection to 127.0.0.1. It only supports answers with a Content-Length. */
class Connection {
  constructor(port) {
    this.received = Buffer.alloc(0);
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('The server closed the connection.')));
  }

  /** @param {Buffer} request a whole HTTP/1.1 request */
  send(request) {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close() {
    this.socket.destroy();
  }

  take(chunk) {
    this.received = this.received.length ? Buffer.concat([this.received, chunk]) : chunk;
    const headEnd = this.received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.received.latin1Slice(0, headEnd);
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (length === undefined) return this.fail(new Error(`An answer without a Content-Length:\n${head}`));
    const end = headEnd + 4 + Number(length);
    if (this.received.length < end) return;
    const answered = this.received;
    this.received = answered.subarray(end);
    this.waiting?.resolve({
      status: Number(head.slice(9, 12)),
      head,
      get body() {
        return answered.toString('utf8', headEnd + 4, end);
      },
    });
  }

  fail(error) {
    this.failure ??= error;
    this.waiting?.reject(this.failure);
  }
}

module.exports = { Connection, load };
