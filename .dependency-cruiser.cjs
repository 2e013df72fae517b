// The walls of the house, drawn in docs/architecture.md. `npm run walls` checks them, type-only imports included;
// test/architecture/walls.spec.ts breaks each of them on purpose, so that none can stop working unnoticed.

const KERNEL = '^src/kernel/';
const MODULE_INDEX = '^src/modules/[^/]+/index\\.ts$';
/** The files that put the service together: the only ones above the modules and the platform. */
const TOP = '^src/([^/]+\\.ts$|service/|testing/)';
const ENTRANCES = '^src/(main|cli/main|extension|testing/index)\\.ts$';
const SPECIFICATION_CODE = '\\.spec\\.tsx?$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    // ── kernel ← domain ← application ← {infrastructure, http, pages} ← *.module.ts ───────────────────────────
    {
      name: 'kernel-is-pure',
      comment:
        'The kernel is the language that all rooms speak. Without packages it outlives each of them, and its tests need nothing.',
      severity: 'error',
      from: { path: KERNEL },
      to: { pathNot: [KERNEL], dependencyTypesNot: ['core'] },
    },
    {
      name: 'domain-knows-the-kernel-only',
      comment:
        'Business rules are plain TypeScript: whoever changes one reads one file, and no framework, database or other module changes it for them. ' +
        'Sums of money are left to a library of pure values.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/domain/' },
      to: {
        pathNot: [KERNEL, '^src/modules/$1/domain/', '^node_modules/dinero\\.js/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'application-knows-the-domain-only',
      comment:
        'A use case says what happens, through ports of its own or of the kernel: it does no input or output, and so takes no package but the ' +
        'decorators of @nestjs/common, no node: module, and nothing of the platform. Other modules are reached through their index.ts.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/application/' },
      to: {
        pathNot: [
          KERNEL,
          '^src/modules/$1/(application|domain)/',
          MODULE_INDEX,
          '^node_modules/@nestjs/common/',
        ],
      },
    },
    {
      name: 'storage-never-knows-http',
      comment:
        'What stores can be used by a request, a job or a command alike, and the shape of an answer is no business of a table.',
      severity: 'error',
      from: { path: '^src/(modules/[^/]+/infrastructure|platform/(persistence|outbox|embedded-postgres))/' },
      to: { path: '^src/(modules/[^/]+/(http|pages)|platform/(http|openapi|pages))/' },
    },
    {
      name: 'http-never-knows-storage',
      comment:
        'A controller that could reach a table would sooner or later skip the use case that guards it.',
      severity: 'error',
      from: { path: '^src/(modules/[^/]+/(http|pages)|platform/(http|access|openapi|pages))/' },
      to: { path: '^src/(modules/[^/]+/infrastructure|platform/(persistence|outbox|embedded-postgres))/' },
    },
    {
      name: 'pages-and-api-stand-apart',
      comment:
        'A module’s pages and its API are two clients of the same use cases: what both need belongs to the domain or the application.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/(http|pages)/' },
      to: { path: '^src/modules/$1/(http|pages)/', pathNot: ['^src/modules/$1/$2/'] },
    },

    // ── between the rooms ─────────────────────────────────────────────────────────────────────────────────────
    {
      name: 'modules-meet-at-index',
      comment:
        'index.ts is what a module promises. Everything behind it may change without asking anybody else.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', MODULE_INDEX] },
    },
    {
      name: 'modules-are-entered-at-index',
      comment: 'The same promise holds for whoever puts modules together: the application, the command line.',
      severity: 'error',
      from: { pathNot: ['^src/modules/', '^src/platform/', KERNEL] },
      to: { path: '^src/modules/', pathNot: [MODULE_INDEX] },
    },
    {
      name: 'modules-know-nothing-above',
      comment:
        'A module can be left out, or be another team’s: it must not know what service it is part of, nor that there is a command line.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: [TOP, '^src/cli/', '^migrations/', '^ormconfig\\.ts$'] },
    },
    {
      name: 'platform-knows-no-business',
      comment: 'The platform carries every module, those of other teams too, and so may know none of them.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: ['^src/', '^migrations/', '^ormconfig\\.ts$'], pathNot: [KERNEL, '^src/platform/'] },
    },

    // ── where packages may be used ────────────────────────────────────────────────────────────────────────────
    {
      name: 'database-packages-stay-in-storage',
      comment:
        'TypeORM and pg are known where rows are read and written, and in the few files that hand over the data source: a change of either ' +
        'stops there. A module describes its tables in infrastructure, and its index.ts only names them.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/modules/[^/]+/infrastructure/',
          '^src/platform/(persistence|outbox|embedded-postgres)/',
          '^src/platform/(platform\\.module|feature)\\.ts$',
          '^src/(create-app|service/open-database|testing/database)\\.ts$',
        ],
      },
      to: { path: '^node_modules/(@types/)?(typeorm|pg)/' },
    },
    {
      name: 'validation-packages-stay-at-the-edge',
      comment:
        'Decorators for validation and documentation describe HTTP input and output; an entity that carried them would be shaped by its ' +
        'transport. The command line is an edge too: it checks e-mail addresses as the API does. The controllers of the platform, and of pages, say ' +
        'with one decorator that they are not part of the documented API.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/modules/[^/]+/http/',
          '^src/platform/(exports|http|openapi)/',
          '^src/platform/.+\\.(decorators?|controller)\\.tsx?$',
          '^src/cli/arguments\\.ts$',
        ],
      },
      to: { path: '^node_modules/(class-validator|class-transformer|@nestjs/swagger)/' },
    },
    {
      name: 'express-stays-at-the-edge',
      comment:
        'Requests and responses end where HTTP ends: beyond it stand the principal, the command and the answer.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/modules/[^/]+/(http|pages)/',
          '^src/platform/(access|exports|health|http|idempotency|logging|openapi|pages|rate-limiting)/',
          '^src/(create-app|service/start-service)\\.ts$',
        ],
      },
      to: { path: '^node_modules/(@types/)?(express|@nestjs/platform-express)/' },
    },

    {
      name: 'pages-are-rendered-at-the-edge',
      comment:
        'HTML is one of the shapes of an answer: Preact is known where pages are built and sent, so that rules, use cases and mails never wait for a page.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/modules/[^/]+/pages/', '^src/platform/pages/'] },
      to: { path: '^node_modules/preact(-render-to-string)?/' },
    },

    // ── hygiene ───────────────────────────────────────────────────────────────────────────────────────────────
    {
      name: 'nothing-stands-on-tests',
      comment: 'Neither tests nor benchmarks are shipped.',
      severity: 'error',
      from: { pathNot: ['^(test|bench)/'] },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-development-dependencies',
      comment: 'They are not installed in production. Types alone are gone by then.',
      severity: 'error',
      from: {},
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: ['^node_modules/@types/'],
      },
    },
    {
      name: 'no-undeclared-packages',
      comment:
        'A package that is only there because another one needs it goes or changes when that one does. Types alone may come from @types packages.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment:
        'Files in a circle can only be understood, tested and moved together, and which of them is undefined at load depends on who came first. ' +
        'Types count: a circle of types is a circle of meaning. This also keeps a module’s layers from its own index.ts and *.module.ts.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dead-files',
      comment: 'Every source file serves the service, the command line, or those who extend Gala.',
      severity: 'error',
      from: { path: ENTRANCES },
      to: { path: '^src/', pathNot: [ENTRANCES, '\\.d\\.ts$'], reachable: false },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^(test|bench)/'] },
    exclude: { path: [SPECIFICATION_CODE] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
