import { addField } from '../support/fields';
import { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { expectInvalid } from '../support/refusals';
import { startGala, type TestGala } from '../support/start-gala';

/** Two instances of one installation. */
let gala: TestGala;
let other: TestGala;
let client: Client;
let elsewhere: Client;
beforeAll(async () => {
  gala = await startGala();
  other = await startGala({ databaseUrl: gala.databaseUrl });
});
beforeEach(async () => {
  client = await (await gala.createWorkspace()).client();
  elsewhere = new Client(other.baseUrl, client.key);
});
afterAll(async () => {
  await other.stop();
  await gala.stop();
});

const post = (by: Client, room: string) =>
  by.post('/v1/leads', { email: 'ana@example.com', custom: { room } });

test('a change of the fields counts everywhere once it is answered', async () => {
  expectInvalid(await post(elsewhere, 'Hall'), 'custom.room');
  const { id } = await addField(client, 'room', { isRequired: true });
  expect((await post(elsewhere, 'Hall')).body.custom).toEqual({ room: 'Hall' });
  expectInvalid(await elsewhere.post('/v1/leads', { email: 'ana@example.com' }), 'custom.room');
  await client.patch(`/v1/lead-fields/${id}`, { isRequired: false });
  expect((await createLead(elsewhere)).custom).toEqual({ room: null });
  await client.delete(`/v1/lead-fields/${id}`);
  expect((await createLead(elsewhere)).custom).toEqual({});
  expectInvalid(await post(elsewhere, 'Hall'), 'custom.room');
});

test('a field that is archived while leads are written loses no value that was taken', async () => {
  const { id: field } = await addField(client, 'room');
  const { id: changed } = await createLead(client);
  const taken = new Map<string, string>();
  let isArchived = false;
  let refused = 0;
  const write = async (by: Client, number: number) => {
    for (let count = 0; !isArchived; count++) {
      const room = `Room ${number}.${count}`;
      const answer = await post(by, room);
      expect([201, 422]).toContain(answer.status);
      if (answer.status === 201) taken.set(answer.body.id, room);
      else refused++;
      const { status } = await by.patch(`/v1/leads/${changed}`, { custom: { room } });
      expect([200, 422]).toContain(status);
    }
  };
  const writers = [client, elsewhere, client, elsewhere].map(write);
  const { status } = await client.delete(`/v1/lead-fields/${field}`);
  const late = await Promise.all([client, elsewhere].map((by) => post(by, 'Late')));
  isArchived = true;
  await Promise.all(writers);
  expect(status).toBe(200);
  late.forEach((answer) => expectInvalid(answer, 'custom.room'));
  expect({ taken: taken.size > 0, refused: refused > 0 }).toEqual({ taken: true, refused: true });
  await client.post(`/v1/lead-fields/${field}/restore`);
  for (const [id, room] of taken) {
    expect((await elsewhere.get(`/v1/leads/${id}`)).body.custom).toEqual({ room });
  }
});

test('changes of one field’s options at once take effect one after the other', async () => {
  const option = (value: string) => ({ value, label: value });
  const { id } = await addField(client, 'room', { type: 'select', options: [option('hall')] });
  const answers = await Promise.all(
    ['garden', 'terrace'].map((value, index) =>
      [client, elsewhere][index]!.patch(`/v1/lead-fields/${id}`, {
        options: [option('hall'), option(value)],
      }),
    ),
  );
  // The second one doesn't know the option that the first one added.
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});
