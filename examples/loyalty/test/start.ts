import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Composition, Mail } from 'gala';
import { Client, startGala } from 'gala/testing';
import { loyalty, overrides } from '../src/loyalty';

const METRICS_TOKEN = 'metrics-token-of-the-tests';

/** The whole service with the extension, beside a mail gateway that keeps what it gets. */
export async function startService() {
  const gateway = await startMailGateway();
  process.env.LOYALTY_TILL_SECRET = 'till-secret-of-the-tests';
  const gala = await startGala({
    extensions: [loyalty],
    overrides,
    configuration: { metrics: { token: METRICS_TOKEN } },
  });
  const workspace = await gala.createWorkspace('Garden Events');
  return {
    ...gala,
    workspace,
    mails: gateway.mails,
    /** The lines of the metrics that begin so. */
    async metrics(start: string): Promise<string[]> {
      const { text } = await new Client(gala.baseUrl, METRICS_TOKEN).get('/metrics');
      return text.split('\n').filter((line) => line.startsWith(start));
    },
    /** Another instance on the same database, put together otherwise. */
    another: (composition: Composition) =>
      startGala({
        databaseUrl: gala.databaseUrl,
        extensions: [loyalty],
        background: false,
        ...composition,
      }),
    async stop() {
      await gala.stop();
      gateway.stop();
    },
  };
}

async function startMailGateway() {
  const mails: Mail[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      mails.push(JSON.parse(Buffer.concat(chunks).toString()) as Mail);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.MAIL_GATEWAY_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    mails,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
