import { createSpace } from '../support/calendar';
import type { Answer, Client } from '../support/http-client';

export interface HoldBody {
  id: string;
  title: string;
  leadId: string | null;
  spaceId: string;
  spaceIds: string[];
  startsAt: string;
  endsAt: string;
  allDay: boolean;
  timeZone: string;
  guests: number | null;
  notes: string | null;
  group: string | null;
  status: string;
  rank: number | null;
  ahead: string[] | null;
  expiresAt: string;
  answerBy: string | null;
  challengeDeadline: string | null;
  challengedBy: string[];
  endedReason: string | null;
  calendarEventId: string;
  placedAt: string;
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** A Saturday, five months after the clock of tests. */
export const SATURDAY = { startsAt: '2027-06-12T16:00:00.000Z', endsAt: '2027-06-13T01:00:00.000Z' };

export const tryPlace = (client: Client, fields: Partial<HoldBody>): Promise<Answer> =>
  client.post('/v1/holds', { title: 'Pérez', ...SATURDAY, ...fields });

export async function place(client: Client, fields: Partial<HoldBody>): Promise<HoldBody> {
  const answer = await tryPlace(client, fields);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

export const act = (client: Client, hold: { id: string }, verb: string, body?: object): Promise<Answer> =>
  client.post(`/v1/holds/${hold.id}/${verb}`, body);

export const patch = (client: Client, hold: { id: string }, changes: object): Promise<Answer> =>
  client.patch(`/v1/holds/${hold.id}`, changes);

export async function get(client: Client, { id }: { id: string }): Promise<HoldBody> {
  const answer = await client.get(`/v1/holds/${id}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

export async function ranks(client: Client, holds: { id: string }[]): Promise<(number | null)[]> {
  return Promise.all(holds.map(async (hold) => (await get(client, hold)).rank));
}

/** Lies in the future by any clock. */
export const FAR = { startsAt: '2927-06-12T16:00:00.000Z', endsAt: '2927-06-13T01:00:00.000Z' };

/** The body of a hold for a new space. */
export async function holdFields(client: Client): Promise<object> {
  return { title: 'Pérez', ...FAR, spaceId: (await createSpace(client)).id };
}
