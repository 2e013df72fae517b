import { transformFileSync } from '@swc/core';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Compiles the service for processes of its own, apart from `dist`, which others may be building. */
export function compileService(): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'gala-compiled-'));
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(directory, name));
  const sources = ['src', 'migrations'].flatMap((folder) =>
    (readdirSync(join(ROOT, folder), { recursive: true }) as string[]).map((name) => join(folder, name)),
  );
  for (const source of [...sources, 'ormconfig.ts']) {
    if (!/\.tsx?$/.test(source) || /\.(spec|d)\.tsx?$/.test(source)) continue;
    const { code } = transformFileSync(join(ROOT, source), {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', tsx: source.endsWith('.tsx'), decorators: true },
        transform: {
          legacyDecorator: true,
          decoratorMetadata: true,
          react: { runtime: 'automatic', importSource: 'preact' },
        },
        keepClassNames: true,
      },
      module: { type: 'commonjs' },
    });
    const target = join(directory, source.replace(/\.tsx?$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  return { directory, remove: () => rmSync(directory, { recursive: true }) };
}

/** As bin/gala.js sets it. */
const HEAP_FLAG = '--heap-growing-percent=50';

export interface ServiceProcess {
  baseUrl: string;
  pid: number;
  readonly isRunning: boolean;
  /** Resolves to its exit code. */
  stop(): Promise<number | null>;
  /** As a power cut would: it gets no chance to tidy up. */
  kill(): Promise<number | null>;
}

/** Starts the compiled service as operators do: with environment variables, in a process of its own. On a free port unless PORT says which. */
export async function startServiceProcess(
  directory: string,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const port = environment.PORT ?? String(await freePort());
  const child = spawn(process.execPath, [HEAP_FLAG, join(directory, 'src/main.js')], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...environment, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await ready(child);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    if (!isRunning()) return child.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    get isRunning() {
      return isRunning();
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let output = '';
    let isReady = false;
    const read = (chunk: Buffer) => {
      if (isReady) return;
      output += chunk.toString();
      isReady = output.includes('Gala is ready');
      if (isReady) done();
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('error', fail);
    child.once('exit', () => fail(new Error(`The service ended before it was ready:\n${output}`)));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
