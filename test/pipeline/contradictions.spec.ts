import { Controller, Get, Head, Module, Post } from '@nestjs/common';
import { createDataSource } from '../../ormconfig';
import type { Composition } from '../../src/app.module';
import { createApp } from '../../src/create-app';
import { Clock } from '../../src/kernel/clock';
import { readableWith } from '../../src/kernel/event-types';
import { SettingsNavigation, SettingsPages } from '../../src/modules/shell';
import { Public, RequireCredential, RequireScope } from '../../src/platform/access/access.decorators';
import { Configuration } from '../../src/platform/config/configuration';
import type { Feature } from '../../src/platform/feature';
import { Logger } from '../../src/platform/logging/logger';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
beforeAll(async () => {
  gala = await startGala();
});
afterAll(() => gala.stop());

/** Starts a second instance, as far as it gets. */
async function start(composition: Composition): Promise<void> {
  const dataSource = await createDataSource({ url: gala.databaseUrl, poolSize: 1 }).initialize();
  try {
    const [configuration, logger] = [gala.app.get(Configuration), gala.app.get(Logger)];
    await (await createApp({ configuration, dataSource, logger, ...composition })).close();
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

/** An extension of these controllers. */
function featureOf(...controllers: (new () => object)[]): Feature {
  class GiftsModule {}
  Module({ controllers })(GiftsModule);
  return { module: GiftsModule, scopes: { 'gifts:read': 'See gifts', 'gifts:write': 'Give gifts' } };
}

const refusal = async (composition: Composition): Promise<string> => {
  const error = await start(composition).then(
    () => new Error('It started.'),
    (thrown: unknown) => thrown as Error,
  );
  return error.message;
};

describe('the service doesn’t start when a route says twice who may call it', () => {
  const KEEP_ONE = "Keep one of them. To require several scopes, write @RequireScope('first', 'second').";

  test('a scope below @Public(), on one handler', async () => {
    @Controller('v1/gifts')
    class GiftsController {
      @Get()
      @Public()
      @RequireScope('gifts:read')
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftsController)] })).toBe(
      "GiftsController.list says twice who may call it: @RequireScope('gifts:read') on GiftsController.list and " +
        `@Public() on GiftsController.list. ${KEEP_ONE}`,
    );
  });

  test('a scope on the handler, and @Public() on its class', async () => {
    @Controller('v1/gifts')
    @Public()
    class GiftsController {
      @Get()
      @RequireScope('gifts:read')
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftsController)] })).toBe(
      "GiftsController.list says twice who may call it: @RequireScope('gifts:read') on GiftsController.list and " +
        `@Public() on GiftsController. ${KEEP_ONE}`,
    );
  });

  test('@Public() on the handler, and a scope on the class that its class extends', async () => {
    @RequireScope('gifts:read', 'gifts:write')
    class Shelf {}

    @Controller('v1/gifts')
    class GiftsController extends Shelf {
      @Get()
      @Public()
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftsController)] })).toBe(
      'GiftsController.list says twice who may call it: @Public() on GiftsController.list and ' +
        `@RequireScope('gifts:read', 'gifts:write') on Shelf. ${KEEP_ONE}`,
    );
  });

  test('any credential and nobody', async () => {
    @Controller('v1/gifts')
    @RequireCredential()
    class GiftsController {
      @Get()
      @Public()
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftsController)] })).toContain(
      '@Public() on GiftsController.list and @RequireCredential() on GiftsController.',
    );
  });

  test('two scopes, each in a decorator of its own', async () => {
    @Controller('v1/gifts')
    class GiftsController {
      @Get()
      @RequireScope('gifts:read')
      @RequireScope('gifts:write')
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftsController)] })).toContain(
      "@RequireScope('gifts:write') on GiftsController.list and @RequireScope('gifts:read') on GiftsController.list.",
    );
  });

  test('a page that requires a scope', async () => {
    @Controller('settings/:workspace/gifts')
    @SettingsPages('member')
    class GiftPagesController {
      @Get()
      @RequireScope('gifts:read')
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftPagesController)] })).toContain(
      "@RequireScope('gifts:read') on GiftPagesController.list and @Pages() on GiftPagesController.",
    );
  });

  test('nor when it requires no scope, or one of its scopes is unknown', async () => {
    const scopes = [] as unknown as [string];
    @Controller('v1/gifts')
    class GiftsController {
      @Get()
      @RequireScope(...scopes)
      list() {}
    }
    @Controller('v1/gifts')
    class MisspeltController {
      @Get()
      @RequireScope('gifts:read', 'gifts:raed')
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftsController)] })).toBe(
      'GiftsController.list requires no scope by @RequireScope(). Name one, or write @RequireCredential().',
    );
    expect(await refusal({ extensions: [featureOf(MisspeltController)] })).toBe(
      'MisspeltController.list requires the scope gifts:raed, which is not registered.',
    );
  });
});

describe('the service doesn’t start when a route is never called', () => {
  test('because Gala has it already', async () => {
    @Controller('v1/leads')
    @RequireScope('gifts:read')
    class GiftedLeadsController {
      @Get(':lead')
      get() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftedLeadsController)] })).toBe(
      'GiftedLeadsController.get (GET /v1/leads/:lead) is never called, because LeadsController.get ' +
        '(GET /v1/leads/:id) handles its requests. Give one of them another path.',
    );
  });

  test('because a parameter of Gala stands in its place', async () => {
    @Controller('v1/leads')
    @RequireScope('gifts:read')
    class GiftedLeadsController {
      @Get('gifted')
      list() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftedLeadsController)] })).toContain(
      'GiftedLeadsController.list (GET /v1/leads/gifted) is never called, because LeadsController.get',
    );
  });

  test('because another controller of the extension, or another handler, has it', async () => {
    @Controller('v1/gifts')
    @RequireScope('gifts:read')
    class GiftsController {
      @Get(':id')
      get() {}

      @Head(':gift')
      head() {}
    }
    @Controller('v1/presents')
    @RequireScope('gifts:read')
    class OldPresentsController {
      @Post()
      give() {}
    }
    @Controller('v1')
    @RequireScope('gifts:write')
    class PresentsController {
      @Post('presents')
      create() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftsController)] })).toContain(
      'GiftsController.head (HEAD /v1/gifts/:gift) is never called, because GiftsController.get',
    );
    expect(await refusal({ extensions: [featureOf(OldPresentsController, PresentsController)] })).toContain(
      'PresentsController.create (POST /v1/presents) is never called, because OldPresentsController.give',
    );
  });

  test('because Gala has a page there', async () => {
    @Controller('settings/:ws/:mode/apps')
    @SettingsPages('member')
    class GiftPagesController {
      @Get()
      show() {}
    }
    expect(await refusal({ extensions: [featureOf(GiftPagesController)] })).toContain(
      'GiftPagesController.show (GET /settings/:ws/:mode/apps) is never called, because InstalledAppsController.',
    );
  });
});

describe('the service doesn’t start when a name is not right, or taken', () => {
  class GiftsModule {}
  class CardsModule {}

  test.each(['gifts read', 'Gifts:read', 'gifts:read,gifts:write', ''])('the scope %j', async (scope) => {
    expect(await refusal({ extensions: [{ module: GiftsModule, scopes: { [scope]: 'x' } }] })).toBe(
      `GiftsModule registers the scope ${JSON.stringify(scope)}, which must be lower-case letters and digits, joined ` +
        'by ":", "_", "-" or ".", such as vendors:read.',
    );
  });

  test('the scope of another extension, or of Gala', async () => {
    const scopes = { 'gifts:read': 'See gifts' };
    const extensions = [
      { module: GiftsModule, scopes },
      { module: CardsModule, scopes },
    ];
    expect(await refusal({ extensions })).toBe(
      'The scope gifts:read is registered twice: by GiftsModule and by CardsModule. Rename one of them.',
    );
    expect(await refusal({ extensions: [{ module: GiftsModule, scopes: { 'leads:read': 'x' } }] })).toBe(
      'The scope leads:read is registered twice: by LeadsModule and by GiftsModule. Rename one of them.',
    );
  });

  test.each(['gift', 'Gift.given', 'gift.Given', 'gift given.now', 'gift.given.twice', 'gift-card.given'])(
    'the event type %j',
    async (type) => {
      const events = readableWith('leads:read', { [type]: 'x' });
      expect(await refusal({ extensions: [{ module: GiftsModule, events }] })).toBe(
        `GiftsModule registers the event type ${JSON.stringify(type)}, which must be <object>.<what happened> in ` +
          'snake_case, such as calendar_event.created.',
      );
    },
  );

  test('an event type of Gala, and one that nobody can read', async () => {
    const taken = readableWith('leads:read', { 'lead.created': 'x' });
    expect(await refusal({ extensions: [{ module: GiftsModule, events: taken }] })).toBe(
      'The event type lead.created is registered twice: by LeadsModule and by GiftsModule. Rename one of them.',
    );
    const unread = readableWith('gifts:raed', { 'gift.given': 'x' });
    expect(await refusal({ extensions: [{ module: GiftsModule, events: unread }] })).toBe(
      'The event type gift.given of GiftsModule requires the scope gifts:raed, which is not registered.',
    );
  });

  test('a settings page that is in the navigation already', async () => {
    @Module({})
    class PagesModule {
      constructor(navigation: SettingsNavigation) {
        navigation.add({ group: 'Gifts', label: 'Apps', path: ':mode/apps', least: 'member' });
      }
    }
    expect(await refusal({ extensions: [{ module: PagesModule }] })).toBe(
      'The settings page :mode/apps is added twice. Both "Integrations, Installed apps" and "Gifts, Apps" lead to it: ' +
        'give one of them another path.',
    );
  });

  test('two overrides of one port', async () => {
    class SlowClock extends Clock {
      now() {
        return new Date(0);
      }
    }
    const overrides = [
      { provide: Clock, useClass: SlowClock },
      { provide: 'OTHER', useValue: 1 },
      { provide: Clock, useFactory: () => new SlowClock() },
    ];
    expect(await refusal({ overrides })).toBe(
      'Clock is overridden twice: by overrides[0] (SlowClock) and by overrides[2] (a factory). Remove one of them.',
    );
  });
});
