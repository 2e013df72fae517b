import { uploaded } from '../files/support';
import { createSpace, plan } from '../support/calendar';
import type { Client } from '../support/http-client';
import { outcome, type PageClient } from '../support/page-client';
import { browserOf } from '../support/people';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { draft, pathOf, send, typesOf, visitor } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
let member: PageClient;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
  member = await browserOf(gala, workspace.ownerEmail);
});

const pageOf = ({ id }: { id: string }) => `/settings/${workspace.id}/live/proposals/${id}`;
const previewOf = (proposal: { id: string }) => `${pageOf(proposal)}/preview`;

/** The client's page without what differs: addresses, tokens, and the forms. */
const contentOf = (text: string) =>
  text
    .slice(text.indexOf('client-head'), text.indexOf('client-contact'))
    .replace(/ (src|srcset)="[^"]*"/g, '');

test('a draft’s page leads to its preview, which is what the client will see', async () => {
  const [cover, garden] = [await uploaded(client), await uploaded(client)];
  const offer = await draft(client, {
    ...{ message: 'It was a pleasure.', coverImage: cover.id, terms: 'Final numbers two weeks before.' },
    sections: [{ title: 'The garden', text: 'Under old trees.', images: [garden.id] }],
    ...{ contact: { name: 'Marta Gil' }, notes: 'See you soon.', validUntil: '2099-06-01' },
  });
  const { id: spaceId } = await createSpace(client, { name: 'Garden Pavilion' });
  await plan(client, {
    ...{ leadId: offer.leadId, spaceId, type: 'hold' },
    ...{ startsAt: '2099-06-12', endsAt: '2099-06-13' },
  });
  expect((await member.get(pageOf(offer))).text).toContain(`href="${previewOf(offer)}"`);
  const { status, text } = await member.get(previewOf(offer));
  expect(status).toBe(200);
  const page = (await member.get(pathOf(await send(client, offer.id as string)))).text;
  expect(contentOf(text)).toBe(contentOf(page));
  for (const part of ['It was a pleasure.', 'The garden', 'Garden Pavilion', 'Preview:'])
    expect(text).toContain(part);
});

test('shows the draft’s images to members alone', async () => {
  const [cover, garden] = [await uploaded(client), await uploaded(client)];
  const offer = await draft(client, { coverImage: cover.id, sections: [{ images: [garden.id] }] });
  const { text } = await member.get(previewOf(offer));
  const images = [...text.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, source]) => source!);
  expect(images).toHaveLength(2);
  for (const image of images) {
    expect((await member.get(image)).headers['content-type']).toBe('image/webp');
    expect((await visitor(gala.baseUrl).get(image)).status).toBe(303);
  }
  expect(text).not.toContain('"/files/');
});

test('shows each change of the draft', async () => {
  const offer = await draft(client, { message: 'First words' });
  expect((await member.get(previewOf(offer))).text).toContain('First words');
  await client.patch(`/v1/proposals/${offer.id}`, { message: 'Second words' });
  const { text } = await member.get(previewOf(offer));
  expect(text).toContain('Second words');
  expect(text).not.toContain('First words');
});

test('can’t be answered, and changes nothing', async () => {
  const offer = await draft(client);
  const { text } = await member.get(previewOf(offer));
  expect(text).toMatch(/<fieldset class="client-answer" disabled>.*<\/fieldset>/s);
  expect(text).not.toContain('/questions"');
  expect(text).not.toContain('href="#accept"');
  expect((await client.get(`/v1/proposals/${offer.id}`)).body).toEqual(offer);
  expect(await typesOf(client, offer.id as string)).toEqual(['proposal.created']);
});

test('works for a draft that can’t be sent yet', async () => {
  const offer = await draft(client, { lineItems: [], validUntil: '2020-01-01' });
  expect((await member.get(previewOf(offer))).status).toBe(200);
});

test('there is none of what was sent or archived', async () => {
  const [offer, archived] = [await draft(client), await draft(client)];
  await send(client, offer.id as string);
  await client.delete(`/v1/proposals/${archived.id}`);
  for (const each of [offer, archived]) {
    expect(outcome(await member.get(previewOf(each)))).toBe(`303 ${pageOf(each)}`);
  }
  expect((await member.get(previewOf({ id: 'prop_01h455vb4pex5vsknk084sn02q' }))).status).toBe(404);
});
