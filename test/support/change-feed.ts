import type { Client } from './http-client';

export interface Change {
  id: string;
  type: string;
  timestamp: string;
  data: any;
  previous: any;
}

/** Reads the feed until it has no more for now. */
export async function walkChanges(
  client: Client,
  { after, types, limit = 100 }: { after?: string; types?: string; limit?: number } = {},
): Promise<{ changes: Change[]; position: string; answers: number }> {
  const changes: Change[] = [];
  let position = after;
  for (let answers = 1; ; answers++) {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(position && { after: position }),
      ...(types && { types }),
    });
    const { status, body } = await client.get(`/v1/changes?${query}`);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    changes.push(...body.data);
    position = body.position;
    if (!body.hasMore) return { changes, position: position!, answers };
  }
}

/** The position after every event so far. */
export async function presentPosition(client: Client): Promise<string> {
  const { status, body } = await client.get('/v1/changes?after=now');
  expect({ status, body }).toEqual({
    status: 200,
    body: { data: [], position: expect.any(String), hasMore: false },
  });
  return body.position;
}
