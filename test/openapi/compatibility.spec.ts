import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a script without types
const { breakingChanges } = require('../../scripts/compare-openapi.js') as {
  breakingChanges: (last: unknown, next: unknown) => string[];
};

const text = readFileSync(join(__dirname, '../../openapi.json'), 'utf8');

/** What the check says of a change of the document. */
function said(change: (document: any) => void): string[] {
  const next = JSON.parse(text);
  change(next);
  return breakingChanges(JSON.parse(text), next);
}

const schema = (document: any, name: string) => document.components.schemas[name];
const leads = (document: any) => document.paths['/v1/leads'];
const parameter = (document: any, name: string) =>
  leads(document).get.parameters.find((each: { name: string }) => each.name === name);

describe('what only adds is let through', () => {
  test.each<[string, (document: any) => void]>([
    ['nothing at all', () => undefined],
    ['a path', (document) => (document.paths['/v1/points'] = document.paths['/v1/me'])],
    [
      'an optional parameter',
      (document) => leads(document).get.parameters.push({ name: 'x', in: 'query', schema: {} }),
    ],
    [
      'an optional body field',
      (document) => (schema(document, 'CreateLeadBody').properties.x = { type: 'string' }),
    ],
    ['a field of an answer', (document) => (schema(document, 'Lead').properties.x = { type: 'string' })],
    ['a value to send', (document) => parameter(document, 'outcome').schema.enum.push('dreaming')],
    ['a value in answers', (document) => schema(document, 'Lead').properties.outcome.enum.push('dreaming')],
    [
      'any text beside known values',
      (document) => {
        const { outcome } = schema(document, 'Lead').properties;
        schema(document, 'Lead').properties.outcome = { anyOf: [outcome, { type: 'string' }] };
      },
    ],
    ['a wider limit', (document) => (schema(document, 'CreateLeadBody').properties.guests.maximum = 200_000)],
    [
      'an event type',
      (document) => {
        document.webhooks['lead.won'] = document.webhooks['lead.created'];
        document.components.schemas.LeadWonEvent = structuredClone(schema(document, 'LeadCreatedEvent'));
        schema(document, 'Event').oneOf.push({ $ref: '#/components/schemas/LeadWonEvent' });
      },
    ],
    [
      'alternatives of what was one schema',
      (document) => {
        const lead = schema(document, 'Lead');
        document.components.schemas.PlainLead = { ...lead };
        document.components.schemas.Lead = { oneOf: [{ $ref: '#/components/schemas/PlainLead' }] };
      },
    ],
    ['a deprecation', (document) => (leads(document).get.deprecated = true)],
  ])('%s', (_, change) => expect(said(change)).toEqual([]));
});

describe('what takes something away is named', () => {
  test.each<[string, (document: any) => void, RegExp]>([
    ['a path', (document) => delete document.paths['/v1/me'], /^GET \/v1\/me: was taken away/],
    ['a method', (document) => delete leads(document).post, /^POST \/v1\/leads: was taken away/],
    ['a name', (document) => (leads(document).get.operationId = 'x'), /is called x instead of listLeads/],
    ['a scope', (document) => (leads(document).get['x-required-scope'] = 'x'), /requires the scope x/],
    ['a parameter', (document) => leads(document).get.parameters.pop(), /parameter sort: was taken away/],
    [
      'a required parameter',
      (document) => (parameter(document, 'q').required = true),
      /parameter q: is required/,
    ],
    [
      'a value to send',
      (document) => parameter(document, 'outcome').schema.enum.pop(),
      /no longer takes lost/,
    ],
    [
      'a type beside known values in answers',
      (document) => {
        const { outcome } = schema(document, 'Lead').properties;
        schema(document, 'Lead').properties.outcome = { anyOf: [outcome, { type: 'integer' }] };
      },
      /outcome: may be integer/,
    ],
    [
      'a type to send',
      (document) => (parameter(document, 'q').schema.type = 'integer'),
      /q: takes no string/,
    ],
    [
      'a body field',
      (document) => delete schema(document, 'CreateLeadBody').properties.guests,
      /^POST \/v1\/leads: body\.guests: was taken away/,
    ],
    [
      'a required field',
      (document) => schema(document, 'CreateLeadBody').required.push('name'),
      /name: is required/,
    ],
    [
      'a narrower limit',
      (document) => (schema(document, 'CreateLeadBody').properties.guests.maximum -= 1),
      /body\.guests: maximum is 99999 instead of 100000/,
    ],
    [
      'a field of an answer',
      (document) => delete schema(document, 'Lead').properties.tags,
      /201\.tags: was taken away/,
    ],
    [
      'a field of a list’s items',
      (document) => delete schema(document, 'Lead').properties.tags,
      /^GET \/v1\/leads: 200\.data\[\]\.tags: was taken away/,
    ],
    [
      'null in answers',
      (document) => (schema(document, 'Lead').properties.id.type = ['string', 'null']),
      /may be null/,
    ],
    [
      'a webhook',
      (document) => delete document.webhooks['lead.created'],
      /^webhook lead\.created: was taken/,
    ],
    [
      'a field of a webhook',
      (document) => delete schema(document, 'LeadCreatedEvent').properties.timestamp,
      /^webhook lead\.created\.timestamp: was taken away/,
    ],
    [
      'a field of one alternative of an answer',
      (document) => delete schema(document, 'LeadCreatedEvent').properties.timestamp,
      /^GET \/v1\/events: 200\.data\[\] \(LeadCreatedEvent\)\.timestamp: was taken away/,
    ],
    ['a field that may be missing', (document) => schema(document, 'Lead').required.pop(), /may be missing/],
    [
      'a status',
      (document) => delete leads(document).post.responses[201],
      /POST \/v1\/leads: 201: was taken away/,
    ],
  ])('%s', (_, change, sentence) => {
    const found = said(change);
    expect(found.some((each) => sentence.test(each))).toBe(true);
  });
});
