import { newId, toUuid } from '../../src/kernel/ids';
import type { Answer, Client } from '../support/http-client';
import { createLead, type LeadBody, list } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';

let gala: TestGala;
let mine: TestWorkspace;
let client: Client;
let lead: LeadBody;
const strangers: Record<string, Client> = {};
beforeAll(async () => {
  gala = await startGala();
  mine = await gala.createWorkspace('Mine');
  client = await mine.client();
  strangers['another workspace'] = await (await gala.createWorkspace('Theirs')).client();
  strangers['the other mode'] = await mine.client('test');
  strangers['another workspace in the other mode'] = await (
    await gala.createWorkspace('Theirs too')
  ).client('test');
  lead = await createLead(client, { name: 'Ana', tags: ['vip'], source: 'fair', email: 'ana@mine.example' });
});
afterAll(() => gala.stop());

/** All of an answer that a caller can tell apart. */
const shown = ({ status, headers, text }: Answer, id: string) => {
  const { date: _, ...others } = headers;
  return {
    status,
    headers: { ...others, 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' },
    text: text.replaceAll(id, 'ID'),
  };
};

describe.each(['another workspace', 'the other mode', 'another workspace in the other mode'])(
  'from %s',
  (where) => {
    const options = { headers: { 'X-Request-Id': 'same' } };
    const calls: [string, (caller: Client, id: string) => Promise<Answer>][] = [
      ['GET', (caller, id) => caller.get(`/v1/leads/${id}`, options)],
      ['HEAD', (caller, id) => caller.request('HEAD', `/v1/leads/${id}`, undefined, options)],
      ['PATCH', (caller, id) => caller.patch(`/v1/leads/${id}`, { name: 'Eva' }, options)],
      ['PATCH with nothing', (caller, id) => caller.patch(`/v1/leads/${id}`, {}, options)],
      ['PATCH with a wrong field', (caller, id) => caller.patch(`/v1/leads/${id}`, { guests: 0 }, options)],
      ['DELETE', (caller, id) => caller.delete(`/v1/leads/${id}`, options)],
      ['duplicates', (caller, id) => caller.get(`/v1/leads/${id}/duplicates`, options)],
      ['restore', (caller, id) => caller.post(`/v1/leads/${id}/restore`, undefined, options)],
    ];

    test.each(calls)(
      '%s answers the same bytes as for an id that never was, and does nothing',
      async (name, call) => {
        const unknown = newId('lead');
        const [theirs, never] = [
          await call(strangers[where]!, lead.id),
          await call(strangers[where]!, unknown),
        ];
        expect(shown(theirs, lead.id)).toEqual(shown(never, unknown));
        expect(theirs.status).toBe(name.includes('wrong') ? 422 : 404);
        expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
      },
    );

    test('an archived lead is not there either', async () => {
      const archived = await createLead(client);
      await client.delete(`/v1/leads/${archived.id}`);
      const unknown = newId('lead');
      for (const [, call] of calls) {
        expect(shown(await call(strangers[where]!, archived.id), archived.id)).toEqual(
          shown(await call(strangers[where]!, unknown), unknown),
        );
      }
    });

    test('lists, totals and searches never mix', async () => {
      for (const parameters of [
        {},
        { archived: 'all' },
        { q: 'ana' },
        { email: lead.email },
        { tag: 'vip' },
        { source: 'fair' },
        { stage: 'new_enquiry' },
        { sort: 'name' },
      ] as Record<string, string>[]) {
        const { body } = await list(strangers[where]!, parameters);
        expect(body.data).toEqual([]);
        expect(body.pagination).toMatchObject({ total: 0, pages: 0 });
      }
    });

    test('a foreign cursor shows nothing of where it came from', async () => {
      await Promise.all([createLead(client), createLead(client)]);
      const stranger = strangers[where]!;
      const { nextCursor } = (await list(client, { limit: 1 })).body.pagination;
      const answer = await list(stranger, { cursor: nextCursor });
      if (answer.status === 422) expectInvalid(answer, 'cursor');
      else expect(answer.body).toMatchObject({ data: [], pagination: { total: 0 } });
    });
  },
);

test('the same request in both modes makes two leads that know nothing of each other', async () => {
  const workspace = await gala.createWorkspace();
  const [live, sandbox] = [await workspace.client('live'), await workspace.client('test')];
  const [one, other] = [await createLead(live), await createLead(sandbox)];
  expect((await list(live)).body.data).toEqual([one]);
  expect((await list(sandbox)).body.data).toEqual([other]);
  await live.delete(`/v1/leads/${one.id}`);
  expect((await sandbox.get(`/v1/leads/${other.id}`)).body).toEqual(other);
});

describe('the database itself', () => {
  test.each([
    ['leads', ['workspace_id', 'mode', 'id']],
    ['api_keys', ['workspace_id', 'mode', 'id']],
    ['events', ['workspace_id', 'mode', 'id']],
  ])('%s are keyed by workspace, mode and id', async (table, columns) => {
    const [key] = await sql<{ columns: string[] }>(
      gala.databaseUrl,
      `SELECT array_agg(a.attname::text ORDER BY place.position) AS columns
       FROM pg_constraint c CROSS JOIN unnest(c.conkey) WITH ORDINALITY AS place (number, position)
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = place.number
       WHERE c.contype = 'p' AND c.conrelid = $1::regclass GROUP BY c.oid`,
      [table],
    );
    expect(key!.columns).toEqual(columns);
  });

  // One for searches knows no order of its columns, and is entered by the words.
  test('every index of leads begins with workspace and mode, or holds the workspace beside words', async () => {
    const indexes = await sql<{ definition: string }>(
      gala.databaseUrl,
      `SELECT indexdef AS definition FROM pg_indexes WHERE tablename = 'leads'`,
    );
    for (const { definition } of indexes) {
      expect(definition).toMatch(
        /USING gin \((search_text [^)]*|fold_texts\(tags\)|fold_values\(custom\) jsonb_path_ops), workspace_id\)|\(workspace_id, mode, /,
      );
    }
  });

  test('one id can stand in two workspaces and two modes without meeting itself', async () => {
    await sql(
      gala.databaseUrl,
      `INSERT INTO leads SELECT workspace_id, 'test', id, 'Twin', email, phone, event_date, guests, source, stage, tags,
         archived_at, created_at, updated_at, search_text FROM leads WHERE id = $1`,
      [toUuid(lead.id as never)],
    );
    const sandbox = await mine.client('test');
    expect((await sandbox.patch(`/v1/leads/${lead.id}`, { guests: 9 })).body).toMatchObject({
      id: lead.id,
      name: 'Twin',
    });
    expect((await sandbox.delete(`/v1/leads/${lead.id}`)).status).toBe(200);
    expect((await client.get(`/v1/leads/${lead.id}`)).body).toEqual(lead);
  });

  test('a key can’t descend from another workspace’s, nor from one of the other mode', async () => {
    const theirs = await gala.createWorkspace();
    await theirs.key('live');
    const insert = (workspaceId: string, mode: string) =>
      sql(
        gala.databaseUrl,
        `INSERT INTO api_keys (workspace_id, mode, id, name, scopes, hash, last4, parent_id, created_at)
         SELECT $1, $2, gen_random_uuid(), 'x', '{}', sha256(random()::text::bytea), 'xxxx', id, now()
         FROM api_keys WHERE workspace_id = $3 AND mode = 'live' LIMIT 1`,
        [workspaceId, mode, toUuid(theirs.id)],
      );
    await expect(insert(toUuid(mine.id), 'live')).rejects.toThrow(/foreign key/);
    await expect(insert(toUuid(theirs.id), 'test')).rejects.toThrow(/foreign key/);
    await expect(insert(toUuid(theirs.id), 'live')).resolves.toEqual([]);
  });

  test.each(['leads', 'events', 'api_keys'])('%s have no other mode than live and test', async (table) => {
    await expect(sql(gala.databaseUrl, `UPDATE ${table} SET mode = 'staging'`)).rejects.toThrow(
      /check constraint/,
    );
  });
});

test('asked for by everyone at the same time, it is found by its owner alone', async () => {
  const wanted = await createLead(client);
  const callers = [client, ...Object.values(strangers)];
  const rounds = Array.from({ length: 25 }, () => callers).flat();
  const answers = await Promise.all(rounds.map((caller) => caller.get(`/v1/leads/${wanted.id}`)));
  answers.forEach(({ status, body }, index) => {
    expect(status).toBe(rounds[index] === client ? 200 : 404);
    if (status === 200) expect(body).toEqual(wanted);
  });
});
