const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

const ADDRESSES = 100;
const { url, headers, clients, seconds } = JSON.parse(process.argv[2]);
const statuses = {};
const until = performance.now() + seconds * 1000;
let sent = 0;

function get() {
  const localAddress = `127.0.3.${(sent++ % ADDRESSES) + 1}`;
  return new Promise((resolve) => {
    http
      .get(url, { headers, localAddress, agent: false }, (response) => {
        response.resume();
        response.on('close', () => resolve(response.complete ? response.statusCode : 'failed'));
      })
      .on('error', () => resolve('failed'));
  });
}

/** Clients from many addresses, each of which asks again as soon as it is answered. Tells how often by status. */
async function flood() {
  const client = async () => {
    while (performance.now() < until) {
      const status = await get();
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 200) await sleep(100);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  console.log(JSON.stringify(statuses));
}

void flood();
