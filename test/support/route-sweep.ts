import type { Composition } from '../../src/app.module';
import { newId } from '../../src/kernel/ids';
import { needsCredential } from '../../src/platform/access/access.decorators';
import { type Route, RouteTable } from '../../src/platform/http/route-table';
import { expectRefusal } from './expect-refusal';
import { type Answer, Client } from './http-client';
import { startGala, type TestGala, type TestWorkspace } from './start-gala';

const MALFORMED = '{"email":';
const UNKNOWN_PARAMETER = 'nonsense';

/** Of Gala's own routes. */
const ID_PREFIXES = {
  '/v1/leads': 'lead',
  '/v1/proposals': 'prop',
  '/v1/messages': 'msg',
  '/v1/api-keys': 'key',
  '/v1/webhooks': 'wh',
  '/v1/calendar-events': 'cal',
  '/v1/spaces': 'space',
  '/v1/tasks': 'task',
  '/v1/holds': 'hold',
  '/v1/imports': 'imp',
  '/v1/files': 'file',
  activity: 'act',
  '/v1/lost-reasons': 'reason',
  '/v1/lead-fields': 'field',
  // Such an id has the form of a key.
  key: 'stage',
  delivery: 'del',
};
const BODIES = {
  '/v1/webhooks/:id/recover': { since: '2027-01-15T00:00:00Z' },
  '/v1/tasks': { title: 'Send the menu' },
  '/v1/holds': {
    ...{ title: 'Pérez', startsAt: '2027-06-12T16:00:00Z' },
    spaceId: 'space_01h455vb4pex5vsknk084sn02q',
  },
  '/v1/leads/:id/activities': { type: 'note', text: 'Called.' },
  '/v1/leads/:id/visits': { startsAt: '2027-02-03T10:00:00Z' },
};

export interface SweepOptions {
  gala: () => TestGala;
  /** The ids that an extension’s routes take, by the path in front of `/:id`; of further parameters, by their names. */
  idPrefixes?: Record<string, string>;
  /** What its routes need in their bodies, by path; `{}` when they need nothing in particular. */
  bodies?: Record<string, object>;
  /** What `gala` was started with, for a second instance of it. */
  composition?: Composition;
}

/** One way to call a route: a catch-all is called by more than one. */
interface Call {
  name: string;
  route: Route;
  method: string;
  path: string;
  /** An id of the right kind that stands in the path, though nothing has it. */
  id?: string;
  /** Nothing is there, whoever asks. */
  isCatchAll: boolean;
}

/** What every route has to answer, tested on each that the running service has: extensions' routes are swept too. */
export function sweepRoutes({ gala, composition = {}, ...own }: SweepOptions): void {
  const idPrefixes = { ...ID_PREFIXES, ...own.idPrefixes };
  const bodies: Record<string, object> = { ...BODIES, ...own.bodies };
  let workspace: TestWorkspace;
  let calls: Call[];
  let full: Client;
  let without: (scope: string) => Promise<Client>;

  beforeAll(async () => {
    workspace = await gala().createWorkspace();
    const everyScope = [...new Set(routesOf(gala()).flatMap(({ access }) => scopesOf(access)))];
    full = await workspace.client('live', everyScope);
    const lacking = new Map<string, Client>();
    without = async (scope) => {
      const others = everyScope.filter((one) => one !== scope);
      if (!lacking.has(scope)) lacking.set(scope, await workspace.client('live', others));
      return lacking.get(scope)!;
    };
    calls = routesOf(gala())
      .filter(({ access }) => needsCredential(access))
      .flatMap((route) => callsOf(route, idPrefixes));
  });

  const onEachCall = async (
    check: (call: Call) => Promise<void>,
    applies: (call: Call) => boolean = () => true,
  ) => {
    const chosen = calls.filter(applies);
    expect(chosen).not.toHaveLength(0);
    const failures: string[] = [];
    for (const call of chosen) {
      await check(call).catch((error: unknown) => failures.push(`${call.name}: ${(error as Error).message}`));
    }
    if (failures.length) throw new Error(failures.join('\n\n'));
  };
  const takesBody = ({ route }: Call) => route.bodyType !== undefined;
  const needsScope = ({ route }: Call) => route.access.kind === 'scope';
  const hasId = ({ id }: Call) => id !== undefined;

  test('without a key it answers 401 with a plain challenge', () =>
    onEachCall(async (call) =>
      expectRefusal(await ask(gala().anonymous, call), 401, { challenge: 'plain' }),
    ));

  test('with a wrong key it answers 401 and says that the token is invalid', () =>
    onEachCall(async (call) => {
      const stranger = new Client(gala().baseUrl, 'gala_live_wrong');
      expectRefusal(await ask(stranger, call), 401, { challenge: 'invalid_token' });
    }));

  test('without one of its scopes, though with all others, it answers 403 and names the scope', () =>
    onEachCall(async (call) => {
      const scopes = scopesOf(call.route.access);
      for (const missing of scopes) {
        const answer = await ask(await without(missing), call);
        expectRefusal(answer, 403, { scope: scopes.join(' ') });
        expect(answer.body.error.message).toContain(`the scope ${missing},`);
      }
    }, needsScope));

  test('a malformed body is 400 with a good key, but 401 without one', () =>
    onEachCall(async (call) => {
      expectRefusal(await ask(gala().anonymous, call, { body: MALFORMED }), 401, { challenge: 'plain' });
      expectRefusal(await ask(full, call, { body: MALFORMED }), 400);
    }, takesBody));

  test('a malformed body is 403 without the scope', () =>
    onEachCall(
      async (call) => {
        const scopes = scopesOf(call.route.access);
        const client = await without(scopes[0]!);
        expectRefusal(await ask(client, call, { body: MALFORMED }), 403, { scope: scopes.join(' ') });
      },
      (call) => takesBody(call) && needsScope(call),
    ));

  test('an unknown query parameter is 422 and named, also where the id is unknown', () =>
    onEachCall(
      async (call) => {
        const asked = { ...call, path: `${call.path}?${UNKNOWN_PARAMETER}=1` };
        expectRefusal(await ask(full, asked), 422, { field: UNKNOWN_PARAMETER });
      },
      ({ isCatchAll }) => !isCatchAll,
    ));

  test('an unknown body field is 422 and named, also where the id is unknown', () =>
    onEachCall(
      async (call) => {
        const answer = await ask(full, call, { body: JSON.stringify({ [UNKNOWN_PARAMETER]: 1 }) });
        expectRefusal(answer, 422, { field: UNKNOWN_PARAMETER });
      },
      ({ method, isCatchAll, route }) =>
        !isCatchAll && !route.takesFile && ['POST', 'PATCH', 'PUT'].includes(method),
    ));

  test('an unknown id is 404', () =>
    onEachCall(async (call) => expectRefusal(await ask(full, call), 404), hasId));

  test('an id of the wrong kind or shape is 404', () =>
    onEachCall(async (call) => {
      for (const id of [
        newId('ws'),
        'undefined',
        'null',
        '0',
        `${call.id}x`,
        call.id!.toUpperCase(),
        '%00',
        '%FF',
      ]) {
        expectRefusal(await ask(full, { ...call, path: call.path.replace(call.id!, id) }), 404);
      }
    }, hasId));

  test('where no route is, it is 404 whatever query or body come along', () =>
    onEachCall(
      async (call) => {
        expectRefusal(await ask(full, call), 404);
        expectRefusal(await ask(full, { ...call, path: `${call.path}?${UNKNOWN_PARAMETER}=1` }), 404);
        expectRefusal(await ask(full, call, { body: '{"name":"Ana"}' }), 404);
        expectRefusal(await ask(full, call, { body: MALFORMED }), 404);
      },
      ({ isCatchAll }) => isCatchAll,
    ));

  test('over its limit it answers 429 before anything but 401', async () => {
    const strict = await startGala({
      databaseUrl: gala().databaseUrl,
      configuration: { rateLimits: { reads: 1, writes: 1, address: 100_000 } },
      ...composition,
    });
    try {
      await onEachCall(async (call) => {
        // There are more routes than a workspace may have keys.
        const client = new Client(strict.baseUrl, await (await gala().createWorkspace()).key('live', []));
        await client.get('/v1/me');
        await client.delete('/v1/me');
        const asked = { ...call, path: `${call.path}?${UNKNOWN_PARAMETER}=1` };
        const body = takesBody(call) ? MALFORMED : undefined;
        expectRefusal(await ask(client, asked, { body }), 429);
        expectRefusal(await ask(strict.anonymous, asked, { body }), 401, { challenge: 'plain' });
      });
    } finally {
      await strict.stop();
    }
  });

  async function ask(
    client: Client,
    { method, path, route }: Call,
    { body }: { body?: string } = {},
  ): Promise<Answer> {
    const usual = JSON.stringify(bodies[route.paths[0]!] ?? {});
    const options = route.takesFile ? { headers: { 'Content-Type': route.takesFile[0] } } : {};
    return client.request(method, path, body ?? (route.needsBody ? usual : undefined), options);
  }
}

export function routesOf(gala: TestGala): Route[] {
  return gala.app.get(RouteTable, { strict: false }).all();
}

function scopesOf(access: Route['access']): readonly string[] {
  return access.kind === 'scope' ? access.scopes : [];
}

function callsOf(route: Route, idPrefixes: Record<string, string>): Call[] {
  const isCatchAll = route.method === 'ALL';
  const methods = isCatchAll ? ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] : [route.method];
  return route.paths.flatMap((template) => {
    const [front = ''] = template.split('/:id');
    const takesId = front !== template;
    if (takesId && !idPrefixes[front]) throw new Error(`Say which ids ${template} takes.`);
    const id = takesId ? newId(idPrefixes[front]!) : undefined;
    const path = template
      .replace(/\{?\*path\}?/, 'nowhere/at/all')
      .replace(':id', id ?? '')
      .replace(/:(\w+)/g, (_, name: string) => {
        if (!idPrefixes[name]) throw new Error(`Say which ids :${name} of ${template} takes.`);
        return newId(idPrefixes[name]);
      });
    return methods.map((method) => ({ name: `${method} ${path}`, route, method, path, id, isCatchAll }));
  });
}
