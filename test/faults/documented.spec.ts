import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../docs/markdown';
import { Client } from '../support/http-client';
import { prepare, Services } from './installation';
import { PostgresServer } from './postgres-server';

let folder: string;
const cleanups: (() => unknown)[] = [];
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'gala-documented-'))));
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
  rmSync(folder, { recursive: true });
});

test('a backup that is made as documented is restored as documented, with everything in it', async () => {
  const server = await PostgresServer.create();
  cleanups.push(() => server.remove());
  const services = new Services();
  cleanups.push(() => services.remove());
  const key = await prepare(server.url);
  const service = await services.start({ DATABASE_URL: server.url });
  const lead = { email: 'ana@example.com', name: 'Ana Pérez' };
  const { body } = await new Client(service.baseUrl, key).post('/v1/leads', lead);

  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: server.url,
    PGHOST: '127.0.0.1',
    PGPORT: String(server.port),
    PGUSER: 'postgres',
  };
  const blocks = blocksOf('docs/operating.md').filter(({ info }) => info === 'sh backup');
  expect(blocks).toHaveLength(2);
  for (const { code } of blocks) {
    execFileSync('bash', ['-euo', 'pipefail', '-c', code], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  const restored = await services.start({ DATABASE_URL: server.urlOf('gala_restored') });
  const answer = await new Client(restored.baseUrl, key).get(`/v1/leads/${body.id}`);
  expect(answer.body).toMatchObject({ id: body.id, ...lead });
});
