import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Composition } from '../../src/app.module';
import { createApp } from '../../src/create-app';
import { Clock } from '../../src/kernel/clock';
import { NotFound } from '../../src/kernel/errors';
import { Public, RequireScope } from '../../src/platform/access/access.decorators';
import { Configuration } from '../../src/platform/config/configuration';
import type { Feature } from '../../src/platform/feature';
import { Field } from '../../src/platform/http/field';
import { text } from '../../src/platform/http/field-rules';
import { Logger } from '../../src/platform/logging/logger';
import { RateLimiter } from '../../src/platform/rate-limiting/rate-limiter';
import { expectRefusal } from '../support/expect-refusal';
import { sweepRoutes } from '../support/route-sweep';
import { startGala, type TestGala } from '../support/start-gala';

class GiftBody {
  @Field({ rule: text(10), presence: 'required' })
  name!: string;
}

@Controller('v1/gifts')
@RequireScope('gifts:manage')
class GiftsController {
  @Post()
  create(@Body() { name }: GiftBody) {
    return { name };
  }

  @Get(':id')
  get(@Param('id') id: string) {
    if (id === 'broken') throw new Error('SELECT secret FROM gifts');
    throw new NotFound('gift');
  }
}

@Controller('v1/gift-cards')
class GiftCardsController {
  @Get()
  @RequireScope('gifts:manage', 'leads:read')
  list() {
    return { data: [] };
  }
}

@Module({ controllers: [GiftsController, GiftCardsController] })
class GiftsModule {}

const gifts: Feature = { module: GiftsModule, scopes: { 'gifts:manage': 'Give and list gifts' } };

/** An extension of one controller. */
function featureOf(controller: new () => object, scopes?: Record<string, string>): Feature {
  class ExtensionModule {}
  Module({ controllers: [controller] })(ExtensionModule);
  return { module: ExtensionModule, scopes };
}

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala({ extensions: [gifts] });
});
afterAll(() => gala.stop());

test('its POST routes take an Idempotency-Key', async () => {
  const client = await (await gala.createWorkspace()).client();
  const give = (name: string) =>
    client.post('/v1/gifts', { name }, { headers: { 'Idempotency-Key': 'gift-1' } });
  expect((await give('Vase')).headers).not.toHaveProperty('idempotency-replayed');
  expect((await give('Vase')).headers['idempotency-replayed']).toBe('true');
  expectRefusal(await give('Bowl'), 422, { field: 'Idempotency-Key' });
});

/** Starts a second instance on the same database connection, as far as it gets. */
const start = async (composition: Composition) => {
  const app = await createApp({
    configuration: gala.app.get(Configuration),
    dataSource: gala.app.get(DataSource),
    logger: gala.app.get(Logger),
    ...composition,
  });
  await app.close();
};

describe('every route of an extension, and of Gala beside it', () => {
  sweepRoutes({
    gala: () => gala,
    idPrefixes: { '/v1/gifts': 'gift' },
    composition: { extensions: [gifts] },
  });
});

describe('an extension’s route', () => {
  test('works with a key that has the extension’s scope', async () => {
    const client = await (await gala.createWorkspace()).client('live', ['gifts:manage']);
    const created = await client.post('/v1/gifts', { name: 'Flowers' });
    expect({ status: created.status, body: created.body }).toEqual({
      status: 201,
      body: { name: 'Flowers' },
    });
    expectRefusal(await client.post('/v1/gifts', { name: 'x'.repeat(11) }), 422, { field: 'name' });
    expectRefusal(await client.get('/v1/leads'), 403, { scope: 'leads:read' });
  });

  test('that throws is a 500 with headers and without the reason', async () => {
    const client = await (await gala.createWorkspace()).client();
    const answer = await client.get('/v1/gifts/broken');
    expectRefusal(answer, 500);
    expect(answer.text).not.toContain('secret');
    const lines = gala.logged.filter((line) => line.includes(answer.body.error.requestId));
    expect(lines.map((line) => JSON.parse(line).message).sort()).toEqual(['request', 'request failed']);
  });

  test('may ask for two scopes, and a refusal names those that are missing', async () => {
    const workspace = await gala.createWorkspace();
    const ask = async (...scopes: string[]) => (await workspace.client('live', scopes)).get('/v1/gift-cards');
    expect((await ask('gifts:manage', 'leads:read')).status).toBe(200);
    const refusals = [await ask('leads:read'), await ask('gifts:manage'), await ask('leads:write')];
    for (const refusal of refusals) expectRefusal(refusal, 403, { scope: 'gifts:manage leads:read' });
    expect(refusals.map(({ body }) => body.error.message)).toEqual([
      'This needs the scope gifts:manage, which the credential does not have.',
      'This needs the scope leads:read, which the credential does not have.',
      'This needs the scopes gifts:manage and leads:read, which the credential does not have.',
    ]);
  });

  test('shares its scope with keys made over the API', async () => {
    const client = await (await gala.createWorkspace()).client('live', ['gifts:manage']);
    const created = await client.post('/v1/api-keys', { name: 'Gifts', scopes: ['gifts:manage'] });
    expect(created.status).toBe(201);
  });
});

describe('an extension is refused at the start when', () => {
  test('a route doesn’t say who may call it', async () => {
    @Controller('v1/unguarded')
    class UnguardedController {
      @Get()
      list() {
        return [];
      }
    }
    await expect(start({ extensions: [featureOf(UnguardedController)] })).rejects.toThrow(
      'UnguardedController.list must say who may call it: @RequireScope, @RequireCredential or @Public.',
    );
  });

  test('a route requires a scope that nobody registered', async () => {
    @Controller('v1/misspelt')
    class MisspeltController {
      @Get()
      @RequireScope('leads:raed')
      list() {
        return [];
      }
    }
    await expect(start({ extensions: [featureOf(MisspeltController)] })).rejects.toThrow(
      'MisspeltController.list requires the scope leads:raed, which is not registered.',
    );
  });

  test('it registers a scope that is there already', async () => {
    const extension: Feature = { module: class Empty {}, scopes: { 'leads:read': 'Mine' } };
    await expect(start({ extensions: [extension] })).rejects.toThrow('leads:read is registered twice');
  });
});

describe('routes that two controllers inherit from one class', () => {
  abstract class Shelf {
    @Get()
    list() {
      return { data: ['treasure'] };
    }
  }

  @Controller('v1/closed-shelf')
  @RequireScope('gifts:manage')
  class ClosedShelf extends Shelf {}

  @Controller('v1/open-shelf')
  @Public()
  class OpenShelf extends Shelf {}

  test.each([
    ['the closed one first', [ClosedShelf, OpenShelf]],
    ['the open one first', [OpenShelf, ClosedShelf]],
  ])('keep their own access: %s', async (_, controllers) => {
    const shelves = await startGala({
      databaseUrl: gala.databaseUrl,
      extensions: [gifts, ...controllers.map((controller) => featureOf(controller))],
    });
    try {
      expect((await shelves.anonymous.get('/v1/open-shelf')).status).toBe(200);
      expectRefusal(await shelves.anonymous.get('/v1/closed-shelf'), 401);
    } finally {
      await shelves.stop();
    }
  });
});

describe('an override', () => {
  test('of a port is what every part gets', async () => {
    const now = new Date('2031-05-06T07:08:09.010Z');
    const overridden = await startGala({
      databaseUrl: gala.databaseUrl,
      overrides: [
        { provide: Clock, useValue: { now: () => now } },
        {
          provide: RateLimiter,
          useValue: {
            consume: () => ({ limit: 7, remaining: 3, reset: 1_900_000_000, retryAfter: 9, exceeded: false }),
          },
        },
      ],
    });
    try {
      const client = await (await overridden.createWorkspace()).client();
      const lead = await client.post('/v1/leads', { email: 'ana@example.com' });
      expect(lead.body.createdAt).toBe(now.toISOString());
      expect(lead.headers).toMatchObject({ 'x-ratelimit-limit': '7', 'x-ratelimit-remaining': '3' });
    } finally {
      await overridden.stop();
    }
  });

  test('of something that no part provides is refused, by class and by name', async () => {
    class NoSuchPort {}
    await expect(start({ overrides: [{ provide: NoSuchPort, useValue: {} }] })).rejects.toThrow(
      'Nothing to override: no part of Gala provides NoSuchPort.',
    );
    await expect(start({ overrides: [{ provide: 'NO_SUCH_TOKEN', useValue: {} }] })).rejects.toThrow(
      'NO_SUCH_TOKEN',
    );
  });
});
