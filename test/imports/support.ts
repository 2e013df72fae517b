import type { Answer, Client, RequestOptions } from '../support/http-client';
import { eventually } from '../support/until';

export interface ImportBody {
  id: string;
  status: string;
  columns: { name: string; header: string; field: string | null; samples: string[] }[];
  [field: string]: any;
}

export async function createImport(client: Client, options: object = {}): Promise<ImportBody> {
  const answer = await client.post('/v1/imports', options);
  expect(answer).toMatchObject({ status: 201, body: { status: 'awaiting_file' } });
  return answer.body;
}

export function sendFile(
  client: Client,
  id: string,
  file: string | Buffer,
  { headers }: RequestOptions = {},
): Promise<Answer> {
  return client.post(`/v1/imports/${id}/file`, Buffer.from(file), {
    headers: { 'Content-Type': 'text/csv', ...headers },
  });
}

/** Waits until the import has one of these statuses. */
export function reaches(client: Client, id: string, ...statuses: string[]): Promise<ImportBody> {
  return eventually(async () => {
    const { body } = await client.get(`/v1/imports/${id}`);
    expect(statuses).toContain(body.status);
    return body as ImportBody;
  });
}

/** Creates an import with its file, and waits until that has been checked. */
export async function check(
  client: Client,
  file: string | Buffer,
  options: object = {},
): Promise<ImportBody> {
  const { id } = await createImport(client, options);
  expect(await sendFile(client, id, file)).toMatchObject({ status: 200, body: { id, status: 'checking' } });
  return reaches(client, id, 'ready', 'failed');
}

export async function start(client: Client, id: string): Promise<ImportBody> {
  const answer = await client.post(`/v1/imports/${id}/start`);
  expect(answer).toMatchObject({ status: 200, body: { id, status: 'importing' } });
  return reaches(client, id, 'completed', 'failed');
}

/** Imports a file, which must be ready. */
export async function importFile(
  client: Client,
  file: string | Buffer,
  options: object = {},
): Promise<ImportBody> {
  const checked = await check(client, file, options);
  expect(checked).toMatchObject({ status: 'ready', ambiguous: [] });
  return start(client, checked.id);
}

/** Every lead of the workspace, in the order of their creation. */
export async function leadsOf(client: Client): Promise<any[]> {
  const { body } = await client.get('/v1/leads?limit=100&archived=all');
  return body.data.reverse();
}

export async function rowsOf(client: Client, id: string, query = ''): Promise<any[]> {
  const { status, body } = await client.get(`/v1/imports/${id}/rows?limit=100${query}`);
  expect(status).toBe(200);
  return body.data;
}
