import type { Client } from './http-client';

export interface FieldBody {
  id: string;
  key: string;
  label: string;
  description: string | null;
  type: string;
  options: { value: string; label: string; archived?: boolean }[];
  isRequired: boolean;
  position: number;
  archivedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A custom field, of the type `text` unless another is given. */
export async function addField(
  client: Client,
  key: string,
  fields: Partial<FieldBody> = {},
): Promise<FieldBody> {
  const answer = await client.post('/v1/lead-fields', { key, label: key, type: 'text', ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** One field of each type, with the type as its key. */
export async function addEveryType(client: Client): Promise<void> {
  const options = ['garden', 'Great hall', 'terrace'].map((value) => ({ value, label: value }));
  const types = ['text', 'long_text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'url'];
  await Promise.all([
    ...types.map((type) => addField(client, type, { type })),
    ...['select', 'multi_select'].map((type) => addField(client, type, { type, options })),
  ]);
}
