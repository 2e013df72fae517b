import { Client } from './http-client';

export interface KeyBody {
  id: string;
  name: string;
  scopes: string[];
  mode: string;
  last4: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  createdBy: string | null;
}

/** A key as its making answered it: what can be read later, the secret, and a client that uses it. */
export interface MadeKey {
  view: KeyBody;
  secret: string;
  client: Client;
}

export async function makeKey(maker: Client, fields: object = {}): Promise<MadeKey> {
  return made(maker, await maker.post('/v1/api-keys', { name: 'Made', ...fields }));
}

export async function rotateKey(caller: Client, id: string, gracePeriodSeconds?: number): Promise<MadeKey> {
  const body = gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds };
  return made(caller, await caller.post(`/v1/api-keys/${id}/rotate`, body));
}

export async function idOf(client: Client): Promise<string> {
  return (await client.get('/v1/me')).body.credential.id;
}

/** The ids of all keys that a caller sees in its list. */
export async function visibleTo(client: Client): Promise<string[]> {
  const { status, body } = await client.get('/v1/api-keys?limit=100');
  expect(status).toBe(200);
  return body.data.map(({ id }: KeyBody) => id).sort();
}

function made(
  { baseUrl }: Client,
  { status, body }: { status: number; body: KeyBody & { key: string } },
): MadeKey {
  expect(status).toBe(201);
  const { key: secret, ...view } = body;
  return { view, secret, client: new Client(baseUrl, secret) };
}
