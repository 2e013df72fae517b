import type { Command } from 'commander';
import { UnitOfWork } from '../kernel/unit-of-work';
import { SecretBox } from '../platform/encryption/secret-box';
import { withApp } from './context';
import { print } from './output';

export function addEncryptionKeyCommands(program: Command): void {
  const encryptionKey = program
    .command('encryption-key')
    .description('Change the key that encrypts secrets in the database');

  encryptionKey
    .command('rotate')
    .description(
      'Re-encrypt secrets from ENCRYPTION_KEY_PREVIOUS to ENCRYPTION_KEY; can be restarted if it is interrupted',
    )
    .option('--json', 'print JSON: {"renewed": …}')
    .action(async ({ json }: { json?: boolean }) => {
      const renewed = await withApp((app) => {
        const unitOfWork = app.get(UnitOfWork, { strict: false });
        return app.get(SecretBox, { strict: false }).rotate((work) => unitOfWork.run(work));
      });
      print(
        { renewed },
        json,
        () => `Re-encrypted ${renewed} secrets. You can remove ENCRYPTION_KEY_PREVIOUS now.`,
      );
    });
}
