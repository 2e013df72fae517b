import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, ROOT, WorkingDirectory } from '../support/gala-process';

jest.setTimeout(60_000);

interface Described {
  path: string;
  description: string;
  help: string;
  parts: { name: string; description: string }[];
}

/** Runs instead of the command, within its process, and prints what the command tree says of itself. */
const WALK = `
  const { Command } = require(${JSON.stringify(join(ROOT, 'node_modules/commander'))});
  const walk = (command, path) => [
    {
      path,
      description: command.description(),
      help: command.helpInformation(),
      parts: [...command.options.map((part) => ({ name: part.flags, description: part.description })),
        ...command.registeredArguments.map((part) => ({ name: part.name(), description: part.description }))],
    },
    ...command.commands.flatMap((child) => walk(child, path + ' ' + child.name())),
  ];
  Command.prototype.parseAsync = async function () {
    process.stdout.write(JSON.stringify(walk(this, this.name())));
  };
`;

let directory: WorkingDirectory;
let commands: Described[];
beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  writeFileSync(join(directory.path, 'walk.js'), WALK);
  const env = { NODE_OPTIONS: '--require ./walk.js' };
  commands = JSON.parse((await directory.run([], { env })).stdout) as Described[];
}, 120_000);
afterAll(() => directory.clear());

test('the commands are those that operators were promised', () => {
  expect(commands.map(({ path }) => path).sort()).toEqual([
    'gala',
    'gala api-key',
    'gala api-key create',
    'gala api-key list',
    'gala api-key revoke',
    'gala demo',
    'gala doctor',
    'gala encryption-key',
    'gala encryption-key rotate',
    'gala export',
    'gala export leads',
    'gala holds',
    'gala holds adopt',
    'gala import',
    'gala import leads',
    'gala migrate',
    'gala new-extension',
    'gala oauth-app',
    'gala oauth-app create',
    'gala oauth-app delete',
    'gala oauth-app list',
    'gala oauth-app rotate-secret',
    'gala oauth-app update',
    'gala report',
    'gala report funnel',
    'gala report outcomes',
    'gala report responses',
    'gala serve',
    'gala user',
    'gala user reset-link',
    'gala user reset-two-factor',
    'gala workspace',
    'gala workspace create',
    'gala workspace list',
  ]);
});

test('every command, option and argument is described', () => {
  for (const { path, description, help, parts } of commands) {
    expect({ path, description }).toEqual({ path, description: expect.stringMatching(/\S/) });
    expect(help).toMatch(new RegExp(`^Usage: ${path}\\b`));
    for (const part of parts) {
      expect({ path, ...part }).toEqual({ path, name: part.name, description: expect.stringMatching(/\S/) });
      expect(help).toContain(part.name);
    }
  }
});

test('every command that prints an object can print it for machines', () => {
  const groups = [
    // An export prints its file.
    ...['gala export', 'gala export leads', 'gala holds'],
    'gala',
    'gala workspace',
    'gala api-key',
    'gala oauth-app',
    'gala report',
    'gala user',
    'gala import',
    'gala serve',
    'gala encryption-key',
  ];
  for (const { path, parts } of commands.filter((command) => !groups.includes(command.path))) {
    expect({ path, options: parts.map(({ name }) => name) }).toEqual({
      path,
      options: expect.arrayContaining(['--json']),
    });
  }
});

test.each([[['--help']], [['workspace', '--help']], [['api-key', 'create', '--help']]])(
  'gala %j prints the help to standard output and touches nothing',
  async (args) => {
    const path = ['gala', ...args.slice(0, -1)].join(' ');
    const { code, stdout, stderr } = await directory.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(commands.find((command) => command.path === path)!.help);
    expect(directory.processes()).toEqual([]);
  },
);

test('gala --version prints the version', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await directory.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});
