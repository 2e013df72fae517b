import { uploaded } from '../files/support';
import { pathOf, sent, visitor } from '../proposals/support';
import type { Client } from '../support/http-client';
import type { PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { expectInvalid } from '../support/refusals';
import { sql } from '../support/sql';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
let owner: PageClient;
let client: Client;
let path: string;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  const workspace = await gala.createWorkspace();
  owner = await browserOf(gala, workspace.ownerEmail);
  client = await workspace.client();
  path = `/settings/${workspace.id}/live/brand`;
});

const seenBy = async (who: PageClient) => /name="seen" value="([^"]*)"/.exec((await who.get(path)).text)![1]!;
const save = async (fields: Record<string, string>) =>
  owner.submit(path, { seen: await seenBy(owner), ...fields }, { on: path });

test('is shown to clients', async () => {
  const [logo, cover, photo] = [await uploaded(client), await uploaded(client), await uploaded(client)];
  const saved = await save({
    ...{ name: 'Villa <Aurora>', logo: logo.id, cover: cover.id, accent: '#1F5A46' },
    ...{ address: 'Camino 12\n28023 Madrid', taxNumber: 'ES-B1' },
    ...{
      contactName: 'Marta Gil',
      contactPhoto: photo.id,
      contactPhone: '+34 600 12',
      contactEmail: 'm@x.example',
    },
  });
  expect(saved).toMatchObject({ status: 303, headers: { location: `${path}?notice=saved` } });
  const { text } = await visitor(gala.baseUrl).get(pathOf(await sent(client)));
  for (const part of [
    ...['Villa &lt;Aurora>', 'href="/assets/accent/1f5a46.css"', 'Camino 12', 'ES-B1', 'Marta Gil'],
    ...['href="tel:+3460012"', 'href="mailto:m@x.example"', 'class="client-cover"', 'class="client-logo"'],
  ])
    expect(text).toContain(part);
  const images = [...text.matchAll(/src="(\/files\/[^"]+)"/g)].map(([, source]) => source!);
  expect(images).toHaveLength(3);
  for (const image of images) {
    expect((await fetch(new URL(image, gala.baseUrl))).headers.get('content-type')).toBe('image/webp');
  }
  expect((await owner.get(path)).text).toContain('value="#1f5a46"');
});

test('gives way to what a proposal says itself', async () => {
  const [brand, own] = [await uploaded(client), await uploaded(client)];
  await save({ cover: brand.id, contactName: 'Marta Gil' });
  const offer = await sent(client, { coverImage: own.id, contact: { name: 'Luis Vega' } });
  const { text } = await visitor(gala.baseUrl).get(pathOf(offer));
  const token = (file: { url: string }) => new URL(file.url).pathname.split('/')[2]!;
  expect(text).toContain(token(own));
  expect(text).not.toContain(token(brand));
  expect(text).toContain('Luis Vega');
  expect(text).not.toContain('Marta Gil');
});

test('shows an image while it is the brand’s, and no longer', async () => {
  const { id: logo, url } = await uploaded(client);
  const statusOf = async () => (await gala.anonymous.get(new URL(url).pathname)).status;
  expect(await statusOf()).toBe(404);
  await save({ logo });
  expect(await statusOf()).toBe(200);
  expectInvalid(await client.delete(`/v1/files/${logo}`), 'id');
  await save({});
  expect(await statusOf()).toBe(404);
  expect((await client.delete(`/v1/files/${logo}`)).status).toBe(200);
});

describe('a proposal that was sent', () => {
  const BRAND = { address: 'Camino 12', taxNumber: 'ES-B1', contactName: 'Marta Gil' };
  const imagesIn = (text: string) =>
    [...text.matchAll(/src="(\/files\/[^"]+)"/g)].map(([, source]) => source!);

  test('keeps the brand that it was sent with, and its images', async () => {
    const [logo, cover, photo] = [await uploaded(client), await uploaded(client), await uploaded(client)];
    await save({ ...BRAND, name: 'Villa Aurora', logo: logo.id, cover: cover.id, contactPhoto: photo.id });
    const offer = await sent(client);
    const read = async () => (await visitor(gala.baseUrl).get(pathOf(offer))).text;
    const before = await read();
    await save({ name: 'Casa Nueva', address: 'Elsewhere 1', taxNumber: 'ES-B2', contactName: 'Luis Vega' });
    const after = await read();
    for (const part of ['Villa Aurora', 'Camino 12', 'ES-B1', 'Marta Gil']) expect(after).toContain(part);
    for (const part of ['Casa Nueva', 'Elsewhere', 'ES-B2', 'Luis Vega']) expect(after).not.toContain(part);
    expect(imagesIn(after)).toEqual(imagesIn(before));
    expect(imagesIn(after)).toHaveLength(3);
    for (const image of imagesIn(after)) expect((await gala.anonymous.get(image)).status).toBe(200);
    for (const { id } of [logo, cover, photo]) expectInvalid(await client.delete(`/v1/files/${id}`), 'id');
  });

  test('shows none of a brand that is added later', async () => {
    const cover = await uploaded(client);
    const offer = await sent(client);
    await save({ ...BRAND, cover: cover.id });
    const { text } = await visitor(gala.baseUrl).get(pathOf(offer));
    expect(text).not.toContain('Marta Gil');
    expect(imagesIn(text)).toEqual([]);
  });

  test('keeps no cover or contact of the brand beside its own', async () => {
    const [cover, photo, own] = [await uploaded(client), await uploaded(client), await uploaded(client)];
    await save({ ...BRAND, cover: cover.id, contactPhoto: photo.id });
    await sent(client, { coverImage: own.id, contact: { name: 'Luis Vega' } });
    await save({});
    for (const { id } of [cover, photo]) expect((await client.delete(`/v1/files/${id}`)).status).toBe(200);
  });

  test('is revised with the brand as it is by then', async () => {
    await save({ ...BRAND, name: 'Villa Aurora' });
    const { id } = await sent(client);
    await save({ ...BRAND, name: 'Casa Nueva' });
    const { body: revision } = await client.post(`/v1/proposals/${id}/revise`);
    const { body: second } = await client.post(`/v1/proposals/${revision.id}/send`);
    expect((await visitor(gala.baseUrl).get(pathOf(second))).text).toContain('Casa Nueva');
  });

  test('shows the brand as it is, if it was sent before that was kept', async () => {
    await save({ ...BRAND, name: 'Villa Aurora' });
    const offer = await sent(client);
    await sql(gala.databaseUrl, 'UPDATE proposals SET sent_brand = NULL');
    await save({ ...BRAND, name: 'Casa Nueva' });
    expect((await visitor(gala.baseUrl).get(pathOf(offer))).text).toContain('Casa Nueva');
  });
});

test('refuses images of others, and says so', async () => {
  const stranger = await uploaded(await (await gala.createWorkspace()).client());
  for (const logo of [stranger.id as string, 'nonsense']) {
    const answer = await save({ logo, name: 'Kept' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="Kept"');
  }
  expect((await gala.anonymous.get(new URL(stranger.url).pathname)).status).toBe(404);
});

test.each([
  ['#ffe9a0', 'too light', '#'],
  ['red', 'must be a colour', '#7a3cc2'],
  ['#12345', 'must be a colour', '#7a3cc2'],
  ['url(x)', 'must be a colour', '#7a3cc2'],
])('the accent colour %s is refused', async (accent, reason, advice) => {
  const answer = await save({ accent });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain(reason);
  expect(answer.text).toContain(advice);
});

test('that somebody else saved meanwhile is replaced only by those who were told', async () => {
  const seen = await seenBy(owner);
  expect((await save({ name: 'Villa Aurora' })).status).toBe(303);
  const late = await save({ seen, name: 'Villa Borealis' });
  expect(late.status).toBe(422);
  for (const part of ['Somebody changed the brand meanwhile', 'value="Villa Borealis"', `href="${path}"`])
    expect(late.text).toContain(part);
  expect((await owner.get(path)).text).toContain('value="Villa Aurora"');
  const [, now] = /name="seen" value="([^"]*)"/.exec(late.text)!;
  expect((await save({ seen: now!, name: 'Villa Borealis' })).status).toBe(303);
  expect((await owner.get(path)).text).toContain('value="Villa Borealis"');
});

test('has the days of images in the workspace’s time zone', async () => {
  await uploaded(client);
  await sql(gala.databaseUrl, `UPDATE files SET created_at = '2027-01-15T23:30:00Z'`);
  await sql(gala.databaseUrl, `UPDATE workspaces SET time_zone = 'Europe/Madrid'`);
  expect((await owner.get(path)).text).toMatch(/\(64 × 48, 2027-01-16\)/);
});

test('is each mode’s own', async () => {
  await save({ contactName: 'Marta Gil' });
  expect((await owner.get(path)).text).toContain('Marta Gil');
  expect((await owner.get(path.replace('/live/', '/test/'))).text).not.toContain('Marta Gil');
});

describe('the stylesheet of an accent colour', () => {
  test('is the same for everyone, and cached', async () => {
    const { status, headers, text } = await gala.anonymous.get('/assets/accent/1f5a46.css');
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': expect.stringContaining('immutable'),
      },
    });
    expect(text).toContain('--accent: #1f5a46;');
  });

  test.each(['zzzzzz.css', '1F5A46.css', '1f5a46', '1f5a46.css;x', '%3Cb%3Eabc.css'])(
    'there is no %s',
    async (name) => {
      expect((await gala.anonymous.get(`/assets/accent/${name}`)).status).toBe(404);
    },
  );
});
