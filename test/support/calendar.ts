import type { Answer, Client } from './http-client';

export interface EventBody {
  id: string;
  type: string;
  title: string;
  description: string | null;
  startsAt: string;
  endsAt: string;
  timeZone: string;
  allDay: boolean;
  location: string | null;
  spaceId: string | null;
  spaceIds: string[];
  leadId: string | null;
  guests: number | null;
  status: string;
  sequence: number;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export interface SpaceBody {
  id: string;
  name: string;
  capacity: number | null;
  setupMinutes: number;
  clearingMinutes: number;
  archivedAt: string | null;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export const WEDDING = {
  type: 'event',
  title: 'Wedding',
  startsAt: '2027-06-12T16:00:00Z',
  endsAt: '2027-06-13T01:00:00Z',
};

export async function createSpace(client: Client, fields: Partial<SpaceBody> = {}): Promise<SpaceBody> {
  const answer = await client.post('/v1/spaces', { name: 'Garden Pavilion', ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

export async function plan(client: Client, fields: Partial<EventBody> = {}): Promise<EventBody> {
  const answer = await client.post('/v1/calendar-events', { ...WEDDING, ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

export function listEvents(client: Client, parameters: Record<string, string | number>): Promise<Answer> {
  const entries = Object.entries(parameters).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  return client.get(`/v1/calendar-events?${new URLSearchParams(entries)}`);
}

/** The titles of what takes place between two days or times, in order. */
export async function titlesIn(
  client: Client,
  from: string,
  to: string,
  filter: Record<string, string> = {},
): Promise<string[]> {
  const { status, body } = await listEvents(client, { limit: 100, from, to, ...filter });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data.map(({ title }: EventBody) => title);
}
