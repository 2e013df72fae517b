import type { WorkspaceRef } from '../../src/kernel/principal';
import { CreateLead } from '../../src/modules/leads';
import { DraftProposal, type NewProposal, type ProposalView } from '../../src/modules/proposals';
import type { Client } from '../support/http-client';
import { createLead } from '../support/leads';
import { PageClient } from '../support/page-client';
import type { TestGala } from '../support/start-gala';

export const LINES = [
  { description: 'Dinner, three courses', unit: 'per_guest', unitAmount: 8500, taxRate: 10 },
  { description: 'Hall', unit: 'flat', unitAmount: 250_000, taxRate: 21 },
];

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A draft to a lead of its own with 120 guests. */
export async function draft(client: Client, fields: object = {}): Promise<any> {
  const { id: leadId } = await createLead(client, { guests: 120 });
  const answer = await client.post('/v1/proposals', {
    leadId,
    title: 'Wedding',
    lineItems: LINES,
    ...fields,
  });
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
  return answer.body;
}

/** The same, where there is no API key. */
export async function draftIn({ app }: TestGala, ref: WorkspaceRef): Promise<ProposalView> {
  const lead = await app
    .get(CreateLead, { strict: false })
    .execute(ref, { email: 'ana@example.com', guests: 120 });
  const fields = { leadId: lead.id, title: 'Wedding', lineItems: LINES as NewProposal['lineItems'] };
  return app.get(DraftProposal, { strict: false }).create(ref, fields);
}

export async function send(client: Client, id: string): Promise<any> {
  const answer = await client.post(`/v1/proposals/${id}/send`);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  return answer.body;
}

export async function sent(client: Client, fields: object = {}): Promise<any> {
  return send(client, (await draft(client, fields)).id as string);
}

/** The path of a client's page. */
export const pathOf = ({ publicUrl }: { publicUrl: string }): string => new URL(publicUrl).pathname;

/** A browser that nobody has seen before. */
let addresses = 0;
export function visitor(baseUrl: string, headers: Record<string, string> = {}): PageClient {
  return new PageClient(baseUrl, { 'User-Agent': `${BROWSER} ${++addresses}`, ...headers });
}

/** A refused form says so at the top, and its action and a link lead to `place`, where it stands open. */
export function expectRefusalAt(html: string, action: string, place: string): void {
  const id = / id="([^"]+)"/.exec(place)![1]!;
  expect(html).toContain(place);
  expect(html).toContain(`/${action}#${id}"`);
  const [top] = html.split('class="client-part"');
  expect(top).toMatch(new RegExp(`role="alert">(?:(?!</div>).)*<a href="#${id}">`, 's'));
}

/** The types of the events that tell of one object, in the order in which they happened. */
export async function eventsOf(client: Client, id: string): Promise<any[]> {
  const { body } = await client.get('/v1/events?limit=100');
  return body.data.filter(({ data }: any) => data.id === id).reverse();
}
export const typesOf = async (client: Client, id: string): Promise<string[]> =>
  (await eventsOf(client, id)).map(({ type }) => type);
