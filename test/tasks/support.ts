import type { Answer, Client } from '../support/http-client';

export interface TaskBody {
  id: string;
  leadId: string | null;
  title: string;
  notes: string | null;
  dueOn: string | null;
  dueAt: string | null;
  overdueAt: string | null;
  assigneeId: string | null;
  status: string;
  completedAt: string | null;
  completedBy: { type: string; id: string | null; name: string } | null;
  archivedAt: string | null;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export async function createTask(client: Client, fields: Partial<TaskBody> = {}): Promise<TaskBody> {
  const answer = await client.post('/v1/tasks', { title: 'Send the menu', ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

export function listTasks(client: Client, parameters: Record<string, string | number> = {}): Promise<Answer> {
  const entries = Object.entries(parameters).map(
    ([name, value]) => [name, String(value)] as [string, string],
  );
  return client.get(`/v1/tasks?${new URLSearchParams(entries)}`);
}

/** The titles of tasks in a list, in its order. */
export async function titlesOf(client: Client, parameters: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await listTasks(client, { limit: 100, ...parameters });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data.map(({ title }: TaskBody) => title);
}
