import { randomBytes } from 'node:crypto';
import { UnitOfWork } from '../../src/kernel/unit-of-work';
import { ManageChannel } from '../../src/modules/messages';
import type { Configuration } from '../../src/platform/config/configuration';
import { SecretBox, WrongEncryptionKey } from '../../src/platform/encryption/secret-box';
import { connect } from '../messages/whatsapp-support';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { Callbacks, WhatsAppServer } from '../support/whatsapp-server';

const OLD = randomBytes(32);
const NEW = randomBytes(32);
/** More than one portion of the work. */
const WORKSPACES = 120;

let whatsApp: WhatsAppServer;
let first: TestGala;
const others: TestGala[] = [];
beforeAll(async () => {
  whatsApp = await WhatsAppServer.start();
  first = await start({ encryptionKey: OLD });
});
afterAll(async () => {
  for (const each of others) await each.stop();
  await first.stop();
  await whatsApp.stop();
});

const start = (configuration: Partial<Configuration>, databaseUrl?: string) =>
  startGala({ configuration: { whatsAppApiUrl: whatsApp.url, ...configuration }, databaseUrl });

/** Another instance on the same database. */
async function beside(configuration: Partial<Configuration>): Promise<TestGala> {
  const gala = await start(configuration, first.databaseUrl);
  others.push(gala);
  return gala;
}

const box = ({ app }: TestGala) => app.get(SecretBox, { strict: false });

test('the key is changed beside the running service, also when that is interrupted, and nothing is lost', async () => {
  const workspaces: TestWorkspace[] = [];
  for (let count = 0; count < WORKSPACES; count++) workspaces.push(await first.createWorkspace());
  const endpoint = { url: 'https://example.com/hook', events: ['*'] };
  for (const workspace of workspaces) {
    expect((await (await workspace.client()).post('/v1/webhooks', endpoint)).status).toBe(201);
  }
  const { path } = await connect(first, workspaces[0]!);
  const ref = { workspaceId: workspaces[0]!.id, mode: 'live' } as const;
  const expectToWork = async (gala: TestGala) => {
    await box(gala).verifyKey();
    const account = await gala.app.get(ManageChannel, { strict: false }).test(ref);
    expect(account.verifiedName).toBe('Villa Aurora');
    expect((await new Callbacks(gala.baseUrl, path).status('wamid.unknown', 'read')).status).toBe(200);
  };

  const both = await beside({ encryptionKey: NEW, previousEncryptionKey: OLD });
  await expectToWork(both);
  // Sealed with the new key before the rotation.
  await connect(both, workspaces[1]!);

  const unitOfWork = both.app.get(UnitOfWork, { strict: false });
  let batches = 0;
  const interrupted = box(both).rotate((work) => {
    if (++batches === 4) throw new Error('Killed.');
    return unitOfWork.run(work);
  });
  await expect(interrupted).rejects.toThrow('Killed.');
  await expectToWork(both);
  const renewed = await box(both).rotate((work) => unitOfWork.run(work));
  expect(renewed).toBeGreaterThan(0);
  expect(renewed).toBeLessThan(WORKSPACES + 3);
  expect(await box(both).rotate((work) => unitOfWork.run(work))).toBe(0);

  await expectToWork(await beside({ encryptionKey: NEW }));
  await expect(box(await beside({ encryptionKey: OLD })).verifyKey()).rejects.toThrow(WrongEncryptionKey);
});

test('without the former key it says what to give', async () => {
  await expect(box(first).rotate((work) => work())).rejects.toThrow('ENCRYPTION_KEY_PREVIOUS');
});
