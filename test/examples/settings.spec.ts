import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import {
  ExtensionSettings,
  type Feature,
  fieldRules,
  UnitOfWork,
  ValidationFailed,
  type WorkspaceRef,
  type WorkspaceSettings,
} from '../../src/extension';
import type { Configuration } from '../../src/platform/config/configuration';
import { SecretBox } from '../../src/platform/encryption/secret-box';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

interface Settings {
  greeting: string;
  limits: number[];
  isOn: boolean;
  token: string | null;
}
const DEFAULTS: Settings = { greeting: 'Hello', limits: [1, 2], isOn: false, token: null };

@Module({})
class ReminderModule {
  readonly settings: WorkspaceSettings<Settings>;

  constructor(settings: ExtensionSettings) {
    this.settings = settings.define<Settings>({
      name: 'reminders',
      defaults: DEFAULTS,
      secrets: ['token'],
      problems({ greeting }) {
        const message = fieldRules.text(20_000)(greeting);
        return message ? [{ field: 'greeting', message }] : [];
      },
    });
  }
}
const reminders: Feature = { module: ReminderModule };

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const started: TestGala[] = [];
let gala: TestGala;
let settings: WorkspaceSettings<Settings>;
let ref: WorkspaceRef;
async function start(configuration: Partial<Configuration>): Promise<TestGala> {
  const databaseUrl = started[0]?.databaseUrl;
  started.push(await startGala({ configuration, databaseUrl, extensions: [reminders] }));
  return started.at(-1)!;
}
const settingsOf = ({ app }: TestGala) => app.get(ReminderModule).settings;
beforeAll(async () => {
  gala = await start({ encryptionKey: OLD });
  settings = settingsOf(gala);
});
afterAll(async () => {
  for (const each of started.reverse()) await each.stop();
});
beforeEach(async () => {
  ref = { workspaceId: (await gala.createWorkspace()).id, mode: 'live' };
});

const stored = () =>
  sql<{ value: object; sealed_secrets: Buffer | null }>(gala.databaseUrl, 'SELECT * FROM extension_settings');

test('a workspace has the defaults until it changes them, field by field, in each mode apart', async () => {
  expect(await settings.get(ref)).toEqual(DEFAULTS);
  expect(await settings.change(ref, { greeting: 'Hi', isOn: undefined })).toEqual({
    ...DEFAULTS,
    greeting: 'Hi',
  });
  await settings.change(ref, { limits: [3] });
  expect(await settings.get(ref)).toEqual({ ...DEFAULTS, greeting: 'Hi', limits: [3] });
  expect(await settings.get({ ...ref, mode: 'test' })).toEqual(DEFAULTS);
  expect(await settings.get({ ...ref, workspaceId: (await gala.createWorkspace()).id })).toEqual(DEFAULTS);
});

test('whoever reads settings can’t change the defaults of others', async () => {
  const readings = [await settings.get(ref), await settings.change(ref, { isOn: true })];
  readings.push(await settings.get(ref));
  for (const { limits } of readings) limits.push(3);
  expect(DEFAULTS.limits).toEqual([1, 2]);
});

test('of several changes at once each takes effect', async () => {
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      settings.change(ref, { greeting: `Hi ${round}` }),
      settings.change(ref, { isOn: round % 2 === 0 }),
      settings.change(ref, { limits: [round] }),
      settings.change(ref, { token: `sesame ${round}` }),
    ]);
    expect(await settings.get(ref)).toEqual({
      greeting: `Hi ${round}`,
      isOn: round % 2 === 0,
      limits: [round],
      token: `sesame ${round}`,
    });
  }
});

test('what the extension or the service finds wrong isn’t stored', async () => {
  const fields = async (changes: Partial<Settings>) => {
    const error = await settings.change(ref, changes).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ValidationFailed);
    return (error as ValidationFailed).details.map(({ field }) => field);
  };
  expect(await fields({ greeting: '' })).toEqual(['greeting']);
  expect(await fields({ token: 'a\0b' })).toEqual(['token']);
  expect(await fields({ greeting: 'x'.repeat(16 * 1024), isOn: true })).toEqual(['greeting']);
  expect(await settings.get(ref)).toEqual(DEFAULTS);
  await settings.change(ref, { greeting: 'ü'.repeat(8000) });
});

test('a change joins the unit of work', async () => {
  const work = gala.app.get(UnitOfWork).run(async () => {
    await settings.change(ref, { greeting: 'Hi' });
    throw new Error('not today');
  });
  await expect(work).rejects.toThrow('not today');
  expect(await settings.get(ref)).toEqual(DEFAULTS);
});

test('secrets are encrypted, by rows, and change keys with the others', async () => {
  await settings.change(ref, { token: 'sesame-1', greeting: 'Hi' });
  const rows = await stored();
  expect(JSON.stringify(rows.map(({ value }) => value))).not.toContain('token');
  expect(Buffer.concat(rows.flatMap(({ sealed_secrets: sealed }) => sealed ?? [])).includes('sesame')).toBe(
    false,
  );
  expect(await settings.get(ref)).toMatchObject({ token: 'sesame-1', greeting: 'Hi' });

  const both = await start({ encryptionKey: NEW, previousEncryptionKey: OLD });
  const unitOfWork = both.app.get(UnitOfWork);
  expect(await both.app.get(SecretBox).rotate((work) => unitOfWork.run(work))).toBeGreaterThan(0);
  const renewed = await start({ encryptionKey: NEW });
  expect(await settingsOf(renewed).get(ref)).toMatchObject({ token: 'sesame-1' });
  await expect(settings.get(ref)).rejects.toThrow();
});

test('two definitions of one name keep the service from starting', () => {
  const again = { name: 'reminders', defaults: {}, problems: () => [] };
  expect(() => gala.app.get(ExtensionSettings).define(again)).toThrow(
    'Two extensions define settings with the name reminders. Rename one of them.',
  );
});
