import { EmptyArchivedStages } from '../../src/modules/leads/application/empty-archived-stages';
import type { Client } from './http-client';
import type { TestGala } from './start-gala';

export interface StageBody {
  key: string;
  name: string;
  outcome: string;
  position: number;
  allowedFrom: string[] | null;
  requiredFields: string[];
  maxDays: number | null;
  isHidden: boolean;
  archivedAt: string | null;
  leads: number;
  moving: { to: string; left: number } | null;
}

export async function addStage(
  client: Client,
  key: string,
  fields: Partial<StageBody> = {},
): Promise<StageBody> {
  const answer = await client.post('/v1/stages', { key, name: key, ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

export async function stagesOf(client: Client, query = ''): Promise<StageBody[]> {
  const { status, body } = await client.get(`/v1/stages?limit=100${query}`);
  expect(status).toBe(200);
  return body.data;
}

export async function stageOf(client: Client, key: string): Promise<StageBody> {
  return (await stagesOf(client)).find((stage) => stage.key === key)!;
}

export async function addReason(client: Client, name: string): Promise<{ id: string; name: string }> {
  const answer = await client.post('/v1/lost-reasons', { name });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Does what the background job does, until nothing is left to move. Returns the sizes of the batches. */
export async function emptyArchivedStages({ app }: TestGala): Promise<number[]> {
  const job = app.get(EmptyArchivedStages, { strict: false });
  const sizes: number[] = [];
  for (let moved = await job.execute(); moved > 0; moved = await job.execute()) sizes.push(moved);
  return sizes;
}
