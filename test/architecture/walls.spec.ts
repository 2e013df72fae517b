import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const CONFIGURATION = resolve(__dirname, '../../.dependency-cruiser.cjs');
const { forbidden } = jest.requireActual<{ forbidden: { name: string; comment?: string }[] }>(CONFIGURATION);

/** What each file imports; a `type ` before the path makes it an import of types alone. */
type Tree = Record<string, string[]>;

/** A service in small that keeps all walls. It comes near each of them, so that one which is too high shows too. */
const SOUND: Tree = {
  'ormconfig.ts': ['typeorm', './migrations', './src/features'],
  'migrations/index.ts': ['typeorm'],
  'src/main.ts': ['./service/start-service'],
  'src/cli/main.ts': ['commander', '../service/start-service', '../modules/rooms', './arguments'],
  'src/cli/arguments.ts': ['class-transformer', '../kernel/ids'],
  'src/service/start-service.ts': [
    '@nestjs/platform-express',
    '../create-app',
    '../modules/rooms',
    '../version',
    './open-database',
  ],
  'src/service/open-database.ts': ['type typeorm'],
  'src/testing/index.ts': ['./database'],
  'src/testing/database.ts': ['pg', '../service/open-database'],
  'src/version.ts': [],
  'src/create-app.ts': [
    '@nestjs/core',
    'type typeorm',
    './features',
    './platform/platform.module',
    '../ormconfig',
  ],
  'src/features.ts': ['./modules/rooms', './modules/bookings', './platform/feature'],
  'src/kernel/ids.ts': ['node:crypto'],
  'src/kernel/page.ts': ['./ids'],
  'src/platform/feature.ts': ['type typeorm', '@nestjs/common'],
  'src/platform/platform.module.ts': [
    'typeorm',
    '@nestjs/common',
    './http/filter',
    './pages/page-renderer',
    './persistence/database',
    './access/access.decorators',
    './health/health.controller',
    './outbox/events',
  ],
  'src/platform/http/filter.ts': ['type express', 'class-validator', '../../kernel/ids'],
  'src/platform/access/access.decorators.ts': ['@nestjs/swagger', 'type express'],
  'src/platform/health/health.controller.ts': ['@nestjs/swagger', '../persistence/database'],
  'src/platform/pages/page-renderer.tsx': [
    'preact',
    'preact-render-to-string',
    'type express',
    '../http/filter',
    './pages.decorator',
  ],
  'src/platform/pages/pages.decorator.ts': ['@nestjs/swagger', '../access/access.decorators'],
  'src/platform/persistence/database.ts': ['pg', 'typeorm', 'node:async_hooks', '../../kernel/page'],
  'src/platform/outbox/events.ts': ['typeorm', '../persistence/database'],
  'src/modules/rooms/index.ts': [
    './rooms.module',
    './domain/room',
    './infrastructure/room.schema',
    '../../platform/feature',
  ],
  'src/modules/rooms/rooms.module.ts': [
    '@nestjs/common',
    './http/rooms.controller',
    './pages/rooms-page',
    './application/rename-room',
    './infrastructure/room.schema',
  ],
  'src/modules/rooms/domain/room.ts': ['node:crypto', './floor', '../../../kernel/ids'],
  'src/modules/rooms/domain/floor.ts': [],
  'src/modules/rooms/application/rename-room.ts': [
    '@nestjs/common',
    './room-repository',
    '../domain/room',
    '../../../kernel/page',
  ],
  'src/modules/rooms/application/room-repository.ts': ['type ../domain/room'],
  'src/modules/rooms/infrastructure/room.schema.ts': [
    'typeorm',
    '../domain/room',
    '../application/room-repository',
    '../../../platform/persistence/database',
  ],
  'src/modules/rooms/http/rooms.controller.ts': [
    '@nestjs/common',
    '@nestjs/swagger',
    'class-transformer',
    'type express',
    '../application/rename-room',
    '../../../platform/http/filter',
    '../../../platform/access/access.decorators',
  ],
  'src/modules/rooms/pages/rooms-page.tsx': [
    '@nestjs/common',
    'preact',
    'type express',
    './room-row',
    '../application/rename-room',
    '../domain/room',
    '../../../platform/pages/page-renderer',
    '../../../platform/http/filter',
  ],
  'src/modules/rooms/pages/room-row.tsx': ['preact'],
  'src/modules/bookings/index.ts': ['./bookings.module', './domain/booking'],
  'src/modules/bookings/bookings.module.ts': ['@nestjs/common', './application/book-room'],
  'src/modules/bookings/domain/booking.ts': [],
  'src/modules/bookings/application/book-room.ts': ['../../rooms'],
  'test/support/factory.ts': [],
  'bench/floor.ts': [],
};

/** For each wall, files that gain one import each, and with it break this wall and no other. */
const BREACHES: Record<string, [file: string, imported: string][]> = {
  'kernel-is-pure': [
    ['src/kernel/ids.ts', '@nestjs/common'],
    ['src/kernel/page.ts', 'type ../platform/feature'],
    ['src/kernel/page.ts', 'type ../modules/rooms/domain/room'],
  ],
  'domain-knows-the-kernel-only': [
    ['src/modules/rooms/domain/room.ts', '@nestjs/common'],
    ['src/modules/rooms/domain/room.ts', '../../../platform/persistence/database'],
    ['src/modules/bookings/domain/booking.ts', '../../rooms'],
  ],
  'application-knows-the-domain-only': [
    ['src/modules/rooms/application/rename-room.ts', 'rxjs'],
    ['src/modules/rooms/application/rename-room.ts', 'node:fs'],
    ['src/modules/rooms/application/rename-room.ts', 'type ../../../platform/persistence/database'],
    ['src/modules/rooms/application/rename-room.ts', '../infrastructure/room.schema'],
  ],
  'storage-never-knows-http': [
    ['src/modules/rooms/infrastructure/room.schema.ts', 'type ../http/rooms.controller'],
    ['src/modules/rooms/infrastructure/room.schema.ts', '../../../platform/http/filter'],
    ['src/platform/persistence/database.ts', '../http/filter'],
    ['src/modules/rooms/infrastructure/room.schema.ts', 'type ../../../platform/pages/page-renderer'],
    ['src/modules/rooms/infrastructure/room.schema.ts', 'type ../pages/room-row'],
  ],
  'http-never-knows-storage': [
    ['src/modules/rooms/http/rooms.controller.ts', 'type ../infrastructure/room.schema'],
    ['src/modules/rooms/http/rooms.controller.ts', '../../../platform/persistence/database'],
    ['src/platform/http/filter.ts', '../outbox/events'],
    ['src/platform/pages/page-renderer.tsx', '../persistence/database'],
    ['src/modules/rooms/pages/rooms-page.tsx', 'type ../infrastructure/room.schema'],
    ['src/modules/rooms/pages/rooms-page.tsx', '../../../platform/persistence/database'],
  ],
  'pages-and-api-stand-apart': [
    ['src/modules/rooms/pages/rooms-page.tsx', 'type ../http/rooms.controller'],
    ['src/modules/rooms/http/rooms.controller.ts', '../pages/room-row'],
  ],
  'modules-meet-at-index': [
    ['src/modules/bookings/bookings.module.ts', '../rooms/rooms.module'],
    ['src/modules/bookings/bookings.module.ts', 'type ../rooms/domain/room'],
    ['src/modules/bookings/bookings.module.ts', '../rooms/pages/room-row'],
  ],
  'modules-are-entered-at-index': [
    ['src/service/start-service.ts', '../modules/rooms/application/rename-room'],
    ['src/cli/main.ts', 'type ../modules/rooms/domain/room'],
    ['migrations/index.ts', '../src/modules/rooms/infrastructure/room.schema'],
  ],
  'modules-know-nothing-above': [
    ['src/modules/rooms/http/rooms.controller.ts', '../../../version'],
    ['src/modules/rooms/http/rooms.controller.ts', '../../../cli/arguments'],
    ['src/modules/rooms/http/rooms.controller.ts', '../../../service/open-database'],
    ['src/modules/rooms/infrastructure/room.schema.ts', '../../../../migrations'],
  ],
  'platform-knows-no-business': [
    ['src/platform/health/health.controller.ts', 'type ../../modules/bookings'],
    ['src/platform/health/health.controller.ts', '../../version'],
    ['src/platform/health/health.controller.ts', '../../service/open-database'],
    ['src/platform/persistence/database.ts', '../../../migrations'],
  ],
  'database-packages-stay-in-storage': [
    ['src/modules/rooms/http/rooms.controller.ts', 'typeorm'],
    ['src/modules/rooms/index.ts', 'type typeorm'],
    ['src/platform/http/filter.ts', 'pg'],
    ['src/service/start-service.ts', 'typeorm'],
  ],
  'validation-packages-stay-at-the-edge': [
    ['src/modules/rooms/infrastructure/room.schema.ts', 'class-transformer'],
    ['src/modules/rooms/rooms.module.ts', 'type @nestjs/swagger'],
    ['src/modules/rooms/pages/room-row.tsx', 'class-transformer'],
    ['src/platform/persistence/database.ts', 'class-transformer'],
    ['src/service/start-service.ts', 'type class-validator'],
  ],
  'express-stays-at-the-edge': [
    ['src/modules/rooms/infrastructure/room.schema.ts', 'type express'],
    ['src/platform/persistence/database.ts', 'type express'],
    ['src/features.ts', '@nestjs/platform-express'],
  ],
  'pages-are-rendered-at-the-edge': [
    ['src/modules/rooms/infrastructure/room.schema.ts', 'preact'],
    ['src/modules/rooms/http/rooms.controller.ts', 'preact'],
    ['src/platform/http/filter.ts', 'preact-render-to-string'],
    ['src/features.ts', 'type preact'],
  ],
  'nothing-stands-on-tests': [
    ['src/service/start-service.ts', '../../test/support/factory'],
    ['migrations/index.ts', 'type ../bench/floor'],
  ],
  'no-development-dependencies': [
    ['src/service/start-service.ts', 'jest'],
    ['src/platform/http/filter.ts', 'express'],
  ],
  'no-undeclared-packages': [
    ['src/service/start-service.ts', 'undeclared'],
    ['src/service/start-service.ts', './missing'],
  ],
  'no-cycles': [
    ['src/kernel/ids.ts', './page'],
    ['src/modules/rooms/domain/floor.ts', 'type ./room'],
    ['src/modules/rooms/http/rooms.controller.ts', 'type ../rooms.module'],
  ],
  'no-dead-files': [['src/kernel/forgotten.ts', './ids']],
};

const PACKAGES = {
  dependencies: [
    '@nestjs/common',
    '@nestjs/core',
    '@nestjs/platform-express',
    '@nestjs/swagger',
    'class-transformer',
    'class-validator',
    'commander',
    'pg',
    'preact',
    'preact-render-to-string',
    'rxjs',
    'typeorm',
  ],
  devDependencies: ['@types/express', 'jest'],
  none: ['express', 'undeclared'],
};

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function lay(folder: string, tree: Tree): void {
  const declared = (names: string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const { dependencies, devDependencies } = PACKAGES;
  write(
    join(folder, 'package.json'),
    JSON.stringify({ dependencies: declared(dependencies), devDependencies: declared(devDependencies) }),
  );
  for (const name of Object.values(PACKAGES).flat()) {
    write(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
    write(join(folder, 'node_modules', name, 'index.js'), '');
  }
  for (const [file, imports] of Object.entries(tree)) {
    const lines = imports.map((path) =>
      path.startsWith('type ') ? `import type { It } from '${path.slice(5)}';` : `import '${path}';`,
    );
    write(join(folder, file), ['export {};', ...lines, ''].join('\n'));
  }
}

const cases = [
  { rule: undefined, title: 'a sound service', tree: SOUND },
  ...Object.entries(BREACHES).flatMap(([rule, breaches]) =>
    breaches.map(([file, imported]) => ({
      rule,
      title: `${file} importing ${imported}`,
      tree: { ...SOUND, [file]: [...(SOUND[file] ?? []), imported] },
    })),
  ),
];

describe('the walls', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'gala-walls-')));
  const folders = cases.map((_, index) => join(top, String(index)));
  let broken: Record<string, { rule: string }[]>;

  beforeAll(async () => {
    cases.forEach(({ tree }, index) => lay(folders[index]!, tree));
    // The package is an ES module alone, which Jest's own loader can't import.
    const script = [join(__dirname, 'cruise-each.mjs'), CONFIGURATION, ...folders];
    const { stdout } = await promisify(execFile)(process.execPath, script, { maxBuffer: 1 << 26 });
    broken = JSON.parse(stdout) as typeof broken;
  }, 120_000);

  afterAll(() => rmSync(top, { recursive: true }));

  it.each(forbidden)('$name says why it stands and is breached below', ({ name, comment }) => {
    expect(comment).toBeTruthy();
    expect(Object.keys(BREACHES)).toContain(name);
  });

  it('are all still there', () => {
    expect(forbidden.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(BREACHES)));
  });

  it.each(cases.map(({ rule, title }, index) => ({ rule: rule ?? 'no wall', title, index })))(
    '$title breaks $rule',
    ({ rule, index }) => {
      const rules = new Set(broken[folders[index]!]!.map((violation) => violation.rule));
      expect([...rules]).toEqual(rule === 'no wall' ? [] : [rule]);
    },
  );
});
