import type { Override } from '../app.module';
import { Clock } from '../kernel/clock';
import { Mailer } from '../kernel/mailer';
import { BackgroundJobs } from '../platform/jobs/background-jobs';
import { createDatabase, sharePostgres } from './database';
import { Mailbox } from './mailbox';
import { TestClock } from './test-clock';
import { type InstanceOptions, startInstance, type TestInstance } from './test-instance';

export interface TestOptions extends Pick<InstanceOptions, 'extensions' | 'overrides' | 'configuration'> {
  /** A migrated database, for a second instance on that of another one. By default each instance has a new one. */
  databaseUrl?: string;
  /** With it, the clock stands still at this RFC 3339 time until it is advanced. By default it runs. */
  startsAt?: string;
  /** False leaves background jobs, and so event subscribers, to other instances. */
  background?: boolean;
}

export interface TestGala extends TestInstance {
  /** The mails that the service sends, unless the composition overrides `Mailer`. */
  readonly mailbox: Mailbox;
  /** The service's clock, unless the composition overrides `Clock`. */
  readonly clock: TestClock;
}

/** Starts the whole service with these extensions in this process, on a database of its own. */
export async function startGala(options: TestOptions = {}): Promise<TestGala> {
  const { databaseUrl, startsAt, background = true, overrides = [], ...rest } = options;
  const mailbox = new Mailbox();
  const clock = new TestClock(startsAt);
  const database = databaseUrl
    ? { url: databaseUrl, drop: () => Promise.resolve() }
    : await newDatabase(rest.extensions);
  const doubles: Override[] = [
    { provide: Mailer, useValue: mailbox },
    { provide: Clock, useValue: clock },
  ];
  try {
    const instance = await startInstance({
      ...rest,
      databaseUrl: database.url,
      overrides: [...overrides, ...doubles.filter((double) => !isProvidedIn(overrides, double))],
    });
    if (background) instance.app.get(BackgroundJobs).start();
    return {
      ...instance,
      mailbox,
      clock,
      async stop() {
        await instance.stop();
        await database.drop();
      },
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** `drop` also leaves the server, which stops without databases of this process. */
async function newDatabase(extensions: TestOptions['extensions']): ReturnType<typeof createDatabase> {
  const server = await sharePostgres();
  try {
    const database = await createDatabase(server.url, extensions);
    return {
      url: database.url,
      async drop() {
        await database.drop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function isProvidedIn(overrides: Override[], { provide }: Override): boolean {
  return overrides.some((override) => override.provide === provide);
}
