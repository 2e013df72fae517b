import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { startGala, type TestGala } from '../support/start-gala';

/** A day with the API, written by someone who has nothing but openapi.json. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './gala';

export async function spendADay(baseUrl: string, key: string) {
  const gala = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });

  const created = await gala.POST('/v1/leads', {
    body: { name: 'Ana Pérez', email: 'ana@example.com', phone: null, guests: 120, tags: ['vip'] },
  });
  const id: string = created.data!.id;
  const path = { params: { path: { id } } };
  const got = await gala.GET('/v1/leads/{id}', path);
  const listed = await gala.GET('/v1/leads', {
    params: { query: { stage: 'new_enquiry', sort: '-updatedAt', page: 1, limit: 5 } },
  });
  const total: number = listed.data!.pagination.total;
  const updated = await gala.PATCH('/v1/leads/{id}', { ...path, body: { stage: 'visit_booked', guests: null } });
  const archived = await gala.DELETE('/v1/leads/{id}', path);
  const refused = await gala.PATCH('/v1/leads/{id}', { ...path, body: { tags: [] } });
  const restored = await gala.POST('/v1/leads/{id}/restore', path);

  const issued = await gala.POST('/v1/api-keys', { body: { name: 'Website form', scopes: ['leads:read'] } });
  const secret: string = issued.data!.key;
  const issuedPath = { params: { path: { id: issued.data!.id } } };
  const rotated = await gala.POST('/v1/api-keys/{id}/rotate', issuedPath);
  const revoked = await gala.DELETE('/v1/api-keys/{id}', issuedPath);
  const shutOut = await gala.GET('/v1/me', { headers: { Authorization: \`Bearer \${secret}\` } });
  const code: 'unauthorized' | 'not_found' | (string & {}) = shutOut.error!.error.code;

  return {
    created: created.data, got: got.data, total, updated: updated.data, archivedAt: archived.data!.archivedAt,
    refusedField: refused.error!.error.field, restoredAt: restored.data!.archivedAt,
    rotatedStatus: rotated.response.status, revokedAt: revoked.data!.revokedAt, code,
  };
}
`;

/** Calls that the service would refuse, or fields that it doesn't have: none may get past the compiler. */
const MISTAKES = {
  'no e-mail': `gala.POST('/v1/leads', { body: { name: 'Ana' } });`,
  // The client's generics swallow this one, so the body is written down by its own name.
  'an unknown field': `const body: components['schemas']['CreateLeadBody'] = { email: 'a@b.cz', colour: 'red' };`,
  'a number as text': `gala.POST('/v1/leads', { body: { email: 'a@b.cz', guests: '12' } });`,
  // Workspaces add stages, but no outcomes.
  'an unknown outcome': `gala.GET('/v1/leads', { params: { query: { outcome: 'maybe' } } });`,
  'a stage that is no text': `gala.PATCH('/v1/leads/{id}', { params: { path: { id } }, body: { stage: 1 } });`,
  'null for what can’t be cleared': `gala.PATCH('/v1/leads/{id}', { params: { path: { id } }, body: { email: null } });`,
  'an unknown filter': `gala.GET('/v1/leads', { params: { query: { state: 'lost' } } });`,
  'no id': `gala.GET('/v1/leads/{id}');`,
  'an unknown path': `gala.GET('/v1/leeds');`,
  'a method that the path lacks': `gala.PUT('/v1/leads/{id}', { params: { path: { id } } });`,
  'a body where none belongs': `gala.POST('/v1/leads/{id}/restore', { params: { path: { id } }, body: {} });`,
  'trust in what may be null': `gala.GET('/v1/leads/{id}', { params: { path: { id } } }).then(({ data }) => data!.name.length);`,
  'a field that answers lack': `gala.GET('/v1/leads').then(({ data }) => data!.data[0]!.budget);`,
};

// Generating and compiling take their time on a busy machine.
jest.setTimeout(60_000);

let gala: TestGala;
let directory: string;
beforeAll(async () => {
  gala = await startGala();
  // Inside the project, so that the generated code finds its packages.
  const cache = join(__dirname, '../../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  directory = mkdtempSync(join(cache, 'gala-client-'));
  const { text } = await gala.anonymous.get('/openapi.json');
  writeFileSync(join(directory, 'openapi.json'), text);
  const generator = join(__dirname, '../../node_modules/openapi-typescript/bin/cli.js');
  execFileSync(process.execPath, [generator, 'openapi.json', '-o', 'gala.d.ts'], { cwd: directory });
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await gala.stop();
});

/** Compiles files in the directory and returns the complaints by file. */
function compile(files: Record<string, string>): Record<string, string[]> {
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  });
  const program = ts.createProgram(paths, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
  });
  program.emit();
  const complaints: Record<string, string[]> = Object.fromEntries(
    Object.keys(files).map((name) => [name, []]),
  );
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = file?.fileName.slice(directory.length + 1) ?? '';
    (complaints[name] ??= []).push(ts.flattenDiagnosticMessageText(messageText, '\\n'));
  }
  return complaints;
}

describe('a TypeScript client generated from openapi.json', () => {
  test('compiles, and does a day’s work with the real service', async () => {
    expect(compile({ 'program.ts': PROGRAM })).toEqual({ 'program.ts': [] });
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it has only just been written
    const { spendADay } = require(join(directory, 'program.js')) as {
      spendADay: (baseUrl: string, key: string) => Promise<unknown>;
    };
    const key = await (await gala.createWorkspace()).key('test');
    const lead = { name: 'Ana Pérez', email: 'ana@example.com', phone: null, tags: ['vip'] };
    expect(await spendADay(gala.baseUrl, key)).toEqual({
      created: expect.objectContaining({ ...lead, guests: 120, stage: 'new_enquiry' }),
      got: expect.objectContaining(lead),
      total: 1,
      updated: expect.objectContaining({ ...lead, guests: null, stage: 'visit_booked' }),
      archivedAt: expect.any(String),
      refusedField: 'archivedAt',
      restoredAt: null,
      rotatedStatus: 201,
      revokedAt: expect.any(String),
      code: 'unauthorized',
    });
  });

  test('does not compile with calls that the service would refuse', () => {
    const files = Object.values(MISTAKES).map((call, index) => [
      `mistake-${index}.ts`,
      `import createClient from 'openapi-fetch';
import type { components, paths } from './gala';
const id = 'lead_01h455vb4pex5vsknk084sn02q';
export const gala = createClient<paths>();
export const answer = () => { ${call} return id; };
`,
    ]);
    const complaints = Object.values(compile(Object.fromEntries(files)));
    const letPass = Object.keys(MISTAKES).filter((_, index) => complaints[index]!.length === 0);
    expect(letPass).toEqual([]);
    expect(complaints.flat().join()).not.toMatch(/Cannot find module/);
  });
});
