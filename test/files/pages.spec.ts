import type { Client } from '../support/http-client';
import { browserOf, someone } from '../support/people';
import type { PageClient } from '../support/page-client';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { draft } from '../proposals/support';
import { multipart, picture, uploaded } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let owner: PageClient;
let path: string;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  owner = await browserOf(gala, workspace.ownerEmail);
  path = `/settings/${workspace.id}/live/files`;
});

async function send(bytes: Buffer, name = 'garden.png') {
  const csrfToken = await owner.csrfToken(path);
  const { body, type } = multipart(bytes, name, { csrfToken, submission: 'x'.repeat(43) });
  return owner.request('POST', path, body, { headers: { 'Content-Type': type } });
}

test('an image is uploaded, shown to members alone, and deleted', async () => {
  expect(await send(await picture())).toMatchObject({ headers: { location: `${path}?notice=uploaded` } });
  const { text } = await owner.get(path);
  expect(text).toContain('garden.png');
  const [, source] = /src="([^"]+64\.webp)"/.exec(text)!;
  const image = await owner.get(source!);
  expect(image).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' },
  });
  const stranger = await browserOf(gala, (await someone(gala)).email);
  expect((await stranger.get(source!)).status).toBe(404);
  expect((await gala.anonymous.get(source!)).status).toBe(303);
  const [, action] = /action="([^"]+\/delete)"/.exec(text)!;
  const deleted = await owner.submit(action!, {}, { on: path });
  expect(deleted).toMatchObject({ headers: { location: `${path}?notice=deleted` } });
  expect((await owner.get(path)).text).toContain('No images yet');
});

test.each([
  ['a text', Buffer.from('hello'), 'must be a JPEG, PNG, WebP or AVIF image'],
  ['nothing', Buffer.alloc(0), 'is required'],
  ['more than 8 MiB', Buffer.alloc(8 * 1024 ** 2 + 1, 1), 'larger than 8 MiB'],
])('%s is refused where the form has the file', async (_, bytes, reason) => {
  const answer = await send(bytes);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain(reason);
});

test('images are placed in a draft, and keep what was written there', async () => {
  const { id: garden } = await uploaded(client);
  const { id: hall } = await uploaded(client);
  const { id } = await draft(client, {
    sections: [{ title: 'Garden', text: 'Old trees' }, { title: 'Hall' }],
  });
  const page = `/settings/${workspace.id}/live/proposals/${id}/images`;
  const saved = await owner.submit(page, { revision: '1', [garden]: 'cover', [hall]: '1' }, { on: page });
  expect(saved.status).toBe(303);
  const { body } = await client.get(`/v1/proposals/${id}`);
  expect(body).toMatchObject({
    coverImage: garden,
    sections: [
      { title: 'Garden', text: 'Old trees', images: [] },
      { title: 'Hall', images: [hall] },
    ],
  });
  // The form of the draft carries them along.
  const edit = `/settings/${workspace.id}/live/proposals/${id}/edit`;
  const { text } = await owner.get(edit);
  for (const image of [garden, hall]) expect(text).toContain(`value="${image}"`);
  const stale = await owner.submit(page, { revision: '1', [garden]: '' }, { on: page });
  expect(stale.status).toBe(422);
  expect(stale.text).toContain('Somebody changed this draft meanwhile');
  expect((await client.get(`/v1/proposals/${id}`)).body).toEqual(body);
});

test.each(['send', 'archive'])(
  'images that are saved after a draft’s end (%s) aren’t: the page says why',
  async (end) => {
    const { id: garden } = await uploaded(client);
    const { id } = await draft(client);
    const proposal = `/settings/${workspace.id}/live/proposals/${id}`;
    const csrfToken = await owner.csrfToken(`${proposal}/images`);
    if (end === 'send') await client.post(`/v1/proposals/${id}/send`);
    else await client.delete(`/v1/proposals/${id}`);
    const { body } = await client.get(`/v1/proposals/${id}`);
    const fields = {
      csrfToken,
      submission: 'x'.repeat(43),
      revision: String(body.revision),
      [garden]: 'cover',
    };
    const { status, text } = await owner.post(`${proposal}/images`, fields);
    expect(status).toBe(422);
    expect(text).toContain('This proposal is no longer a draft');
    expect(text).toContain(`href="${proposal}"`);
    expect(text).not.toContain('POST …');
  },
);

test('thumbnails of images of any shape are images', async () => {
  const shapes = [
    { width: 270, height: 8000 },
    { width: 1080, height: 8000 },
    { width: 1200, height: 100 },
  ];
  for (const shape of shapes) await uploaded(client, shape);
  const { id } = await draft(client);
  for (const page of [path, `/settings/${workspace.id}/live/proposals/${id}/images`]) {
    const sources = [...(await owner.get(page)).text.matchAll(/<img src="([^"]+\/files\/[^"]+)"/g)];
    expect(sources).toHaveLength(shapes.length);
    for (const [, source] of sources) expect((await owner.get(source!)).status).toBe(200);
  }
});
