import { Body, Controller, Get, Module, Param, Post, Res } from '@nestjs/common';
import { holdFields } from '../holds/support';
import type { Response } from 'express';
import { NotFound } from '../../src/kernel/errors';
import { RequireScope } from '../../src/platform/access/access.decorators';
import type { Feature } from '../../src/platform/feature';
import { Field } from '../../src/platform/http/field';
import { text } from '../../src/platform/http/field-rules';
import { Describe } from '../../src/platform/openapi/describe';
import { CALL } from '../activities/support';
import { sent } from '../proposals/support';
import { WEDDING } from '../support/calendar';
import type { Answer, Client } from '../support/http-client';
import { picture, upload } from '../files/support';
import { createLead } from '../support/leads';
import { startGala, type TestGala } from '../support/start-gala';
import { type Document, operationsOf } from './schema-validator';

class VaseBody {
  @Field({ rule: text(10), presence: 'required', example: 'blue' })
  id!: string;
}

const described = (operationId: string) =>
  Describe({ operationId, summary: 'A vase', status: 201, response: VaseBody });

@Controller('v1/vases')
@RequireScope('vases:manage')
class VasesController {
  @Get(':vase')
  get(@Param('vase') id: string): VaseBody {
    if (id === 'broken') throw new NotFound('vase');
    return { id };
  }

  @Post()
  @described('createVase')
  create(@Body() { id }: VaseBody): VaseBody {
    return { id };
  }

  @Post(':id/copies')
  @described('copyVase')
  copy(@Param('id') id: string): VaseBody {
    return { id };
  }

  @Post(':id/elsewhere')
  @Describe({
    operationId: 'moveVase',
    summary: 'A vase',
    status: 201,
    response: VaseBody,
    setsLocation: true,
  })
  move(@Param('id') id: string, @Res({ passthrough: true }) response: Response): VaseBody {
    response.setHeader('Location', '/v1/vases/moved');
    return { id };
  }
}

@Controller('v1/vase-orders')
@RequireScope('vases:manage')
class VaseOrdersController {
  @Get(':id')
  get(@Param('id') id: string): VaseBody {
    return { id };
  }

  @Post()
  @Describe({ operationId: 'orderVase', summary: 'A vase', status: 201, response: VaseBody })
  order(@Body() body: VaseBody, @Res({ passthrough: true }) response: Response): VaseBody {
    response.setHeader('Location', '/v1/vases/ordered');
    return body;
  }
}

@Module({ controllers: [VasesController, VaseOrdersController] })
class VasesModule {}

const vases: Feature = { module: VasesModule, scopes: { 'vases:manage': 'Make vases' } };

let gala: TestGala;
let document: Document;
let client: Client;
beforeAll(async () => {
  gala = await startGala({ extensions: [vases] });
  document = (await gala.anonymous.get('/openapi.json')).body;
  client = await (await gala.createWorkspace()).client('test');
});
afterAll(() => gala.stop());

const WEBHOOK = { url: 'https://example.com/', events: ['lead.*'] };

/** How each operation that answers 201 gets there. */
const CREATIONS: Record<string, () => Promise<Answer>> = {
  createLead: () => client.post('/v1/leads', { email: 'ana@example.com' }),
  upsertLead: () => client.post('/v1/leads/upsert', { matchBy: 'email', email: 'ben@example.com' }),
  bookVisit: async () => {
    const { id } = await createLead(client);
    return client.post(`/v1/leads/${id}/visits`, { startsAt: '2027-02-03T10:00:00Z' });
  },
  logActivity: async () => client.post(`/v1/leads/${(await createLead(client)).id}/activities`, CALL),
  createTask: () => client.post('/v1/tasks', { title: 'Send the menu' }),
  createProposal: async () =>
    client.post('/v1/proposals', { leadId: (await createLead(client)).id, title: 'Wedding' }),
  reviseProposal: async () => client.post(`/v1/proposals/${(await sent(client)).id}/revise`),
  createCalendarEvent: () => client.post('/v1/calendar-events', WEDDING),
  placeHold: async () => client.post('/v1/holds', await holdFields(client)),
  createSpace: () => client.post('/v1/spaces', { name: 'Garden Pavilion' }),
  createStage: () => client.post('/v1/stages', { key: 'tasting', name: 'Tasting' }),
  createLeadField: () => client.post('/v1/lead-fields', { key: 'room', label: 'Room', type: 'text' }),
  createImport: () => client.post('/v1/imports', { matchBy: 'email' }),
  createLostReason: () => client.post('/v1/lost-reasons', { name: 'Over budget' }),
  sendMessage: async () => {
    const { id: leadId } = await createLead(client, { phone: '+15005550001' });
    return client.post('/v1/messages', { leadId, text: 'Hello' });
  },
  uploadFile: async () => upload(client, await picture()),
  createApiKey: () => client.post('/v1/api-keys', { name: 'Website', scopes: ['leads:read'] }),
  rotateApiKey: async () => {
    const { body } = await client.post('/v1/api-keys', { name: 'Website' });
    return client.post(`/v1/api-keys/${body.id}/rotate`);
  },
  createWebhook: () => client.post('/v1/webhooks', WEBHOOK),
  testWebhook: async () =>
    client.post(`/v1/webhooks/${(await client.post('/v1/webhooks', WEBHOOK)).body.id}/test`),
  createVase: () => client.post('/v1/vases', { id: 'blue' }),
  copyVase: () => client.post('/v1/vases/blue/copies'),
  moveVase: () => client.post('/v1/vases/blue/elsewhere'),
  orderVase: () => client.post('/v1/vase-orders', { id: 'blue' }),
};

test('every 201 has a Location exactly where the document promises one, and the object is there', async () => {
  const creating = operationsOf(document).filter(({ operation }) => operation.responses['201']);
  expect(creating.map(({ operation }) => operation.operationId).sort()).toEqual(
    Object.keys(CREATIONS).sort(),
  );
  for (const { operation } of creating) {
    const { operationId, responses } = operation;
    const answer = await CREATIONS[operationId]!();
    const { location } = answer.headers;
    expect({ operationId, status: answer.status, isLocated: location !== undefined }).toEqual({
      operationId,
      status: 201,
      isLocated: 'Location' in responses['201'].headers,
    });
    if (location === undefined) continue;
    const { status, body } = await client.get(location);
    const id = location.startsWith('/v1/vases/') ? location.split('/').at(-1) : answer.body.id;
    expect({ operationId, location, status, id: body.id }).toEqual({
      operationId,
      location,
      status: 200,
      id,
    });
  }
});

test('those without are a test delivery, and what is made below an object without a route of its own', () => {
  const creating = operationsOf(document).filter(({ operation }) => operation.responses['201']);
  const without = creating.filter(({ operation }) => !('Location' in operation.responses['201'].headers));
  expect(without.map(({ operation }) => operation.operationId).sort()).toEqual(['copyVase', 'testWebhook']);
});

test('a handler’s own Location stays', async () => {
  expect((await CREATIONS.orderVase!()).headers.location).toBe('/v1/vases/ordered');
  expect((await CREATIONS.moveVase!()).headers.location).toBe('/v1/vases/moved');
});

test('an id is written so that the address leads to it', async () => {
  const { headers } = await client.post('/v1/vases', { id: 'a/b ü?' });
  expect(headers.location).toBe('/v1/vases/a%2Fb%20%C3%BC%3F');
  expect((await client.get(headers.location!)).body).toEqual({ id: 'a/b ü?' });
});

test('a repetition of the request gets the same Location', async () => {
  const options = { headers: { 'Idempotency-Key': 'vase-1' } };
  const create = () => client.post('/v1/vases', { id: 'blue' }, options);
  const [first, again] = [await create(), await create()];
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect([first.headers.location, again.headers.location]).toEqual(['/v1/vases/blue', '/v1/vases/blue']);
});
