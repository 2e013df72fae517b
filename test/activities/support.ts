import type { Client } from '../support/http-client';

export interface ActivityBody {
  id: string;
  leadId: string;
  type: string;
  direction: string | null;
  text: string;
  at: string;
  externalId: string | null;
  author: { type: string; id: string | null; name: string };
  editedAt: string | null;
  createdAt: string;
  revision: number;
}

export const CALL = { type: 'call', direction: 'in', text: 'Asked whether dogs are welcome.' };

export async function log(
  client: Client,
  leadId: string,
  fields: Partial<ActivityBody> = {},
): Promise<ActivityBody> {
  const answer = await client.post(`/v1/leads/${leadId}/activities`, { ...CALL, ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}
