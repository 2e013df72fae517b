import type { Answer, Client } from './http-client';

export interface LeadBody {
  id: string;
  externalId: string | null;
  name: string | null;
  email: string;
  phone: string | null;
  eventDate: string | null;
  guests: number | null;
  source: string | null;
  stage: string;
  tags: string[];
  ownerId: string | null;
  outcome: string;
  lostReasonId: string | null;
  lostNote: string | null;
  custom: Record<string, unknown>;
  archivedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export type Parameters = Record<string, string | number>;

export async function createLead(client: Client, fields: Partial<LeadBody> = {}): Promise<LeadBody> {
  const answer = await client.post('/v1/leads', { email: 'ana@example.com', ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
}

export function listPath(parameters: Parameters = {}): string {
  const entries = Object.entries(parameters).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  return `/v1/leads?${new URLSearchParams(entries)}`;
}

export function list(client: Client, parameters: Parameters = {}): Promise<Answer> {
  return client.get(listPath(parameters));
}

/** The names of the leads that a list holds, in its order. */
export async function namesIn(client: Client, parameters: Parameters = {}): Promise<(string | null)[]> {
  const { status, body } = await list(client, { limit: 100, ...parameters });
  expect(status).toBe(200);
  return body.data.map(({ name }: LeadBody) => name);
}

/** Every lead of a list, page number by page number. */
export async function walkPages(client: Client, parameters: Parameters): Promise<LeadBody[]> {
  const leads: LeadBody[] = [];
  for (let page = 1; page < 1000; page++) {
    const { status, body } = await list(client, { ...parameters, page });
    expect(status).toBe(200);
    leads.push(...body.data);
    if (!body.pagination.hasNext) return leads;
  }
  throw new Error('The pages don’t end.');
}

/** Every lead of a list, cursor by cursor; `between` runs before each further step. */
export async function walkCursor(
  client: Client,
  parameters: Parameters,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<LeadBody[]> {
  const leads: LeadBody[] = [];
  let step: Parameters = {};
  for (let count = 0; count < 1000; count++) {
    const { status, body } = await list(client, { ...parameters, ...step });
    expect(status).toBe(200);
    leads.push(...body.data);
    if (body.pagination.nextCursor === null) return leads;
    step = { cursor: body.pagination.nextCursor };
    await between();
  }
  throw new Error('The walk doesn’t end.');
}
