import '../platform/one-copy';
import '../platform/tracing/start';
import { Command } from 'commander';
import { createDemo, describeDemo } from '../service/demo/demo';
import { exitWithMessage } from '../service/exit-with-message';
import { loadComposition } from '../service/load-composition';
import { openDatabase } from '../service/open-database';
import { readConfiguration } from '../platform/config/load-configuration';
import { addressOf } from '../platform/config/public-address';
import { packageVersion } from '../platform/package-version';
import { startService } from '../service/start-service';
import { addApiKeyCommands } from './api-key-commands';
import { withApp } from './context';
import { addDoctorCommand } from './doctor-command';
import { addEncryptionKeyCommands } from './encryption-key-commands';
import { addExportCommands } from './export-commands';
import { addHoldCommands } from './hold-commands';
import { addImportCommands } from './import-commands';
import { addNewExtensionCommand } from './new-extension-command';
import { addOAuthAppCommands } from './oauth-app-commands';
import { print } from './output';
import { addReportCommands } from './report-commands';
import { addUserCommands } from './user-commands';
import { addWorkspaceCommands } from './workspace-commands';

const program = new Command('gala')
  .description(
    'Gala, the sales API for event planners and venues. Commands use the service’s database (DATABASE_URL, or the embedded one in DATA_DIR) and extensions (gala.config.js).',
  )
  .version(packageVersion(), '-V, --version')
  .showHelpAfterError('(add --help for usage)');

program
  .command('serve')
  .description('Start the service')
  .action(async () => startService(await loadComposition()));

program
  .command('migrate')
  .description('Migrate the database schema; the service also does this when it starts')
  .option('--json', 'print JSON: {"migrations": […]}')
  .action(async ({ json }: { json?: boolean }) => {
    const { extensions } = await loadComposition();
    const configuration = readConfiguration();
    const database = await openDatabase(configuration, {
      role: 'command',
      extensions,
      onProgress: (line) => console.error(line),
    });
    await database.close();
    const { migrated } = database;
    print({ migrations: migrated }, json, () =>
      migrated.length === 0
        ? 'The schema is up to date.'
        : `Ran ${migrated.length} migrations:\n${migrated.map((name) => `  ${name}`).join('\n')}`,
    );
  });

program
  .command('demo')
  .description('Create a demo workspace with sample leads and new keys')
  .option('--json', 'print the workspace and its keys as JSON')
  .action(async ({ json }: { json?: boolean }) => {
    await withApp(async (app, { publicUrl }) => {
      const demo = await createDemo(app);
      print(demo, json, () => describeDemo(demo, addressOf(publicUrl)));
    });
  });

addDoctorCommand(program);
addWorkspaceCommands(program);
addApiKeyCommands(program);
addOAuthAppCommands(program);
addUserCommands(program);
addExportCommands(program);
addHoldCommands(program);
addReportCommands(program);
addEncryptionKeyCommands(program);
addImportCommands(program);
addNewExtensionCommand(program);

program.parseAsync().catch(exitWithMessage);
