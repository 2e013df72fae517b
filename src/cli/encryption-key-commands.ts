import type { Command } from 'commander';
import { UnitOfWork } from '../kernel/unit-of-work';
import { SecretBox } from '../platform/encryption/secret-box';
import { withApp } from './context';
import { print } from './output';

export function addEncryptionKeyCommands(program: Command): void {
  const encryptionKey = program
    .command('encryption-key')
    .description('Change the key with which secrets are encrypted in the database');

  encryptionKey
    .command('rotate')
    .description(
      'Encrypt every secret with ENCRYPTION_KEY that was encrypted with ENCRYPTION_KEY_PREVIOUS; can be begun again at any time',
    )
    .option('--json', 'print {"renewed": …} for machines')
    .action(async ({ json }: { json?: boolean }) => {
      const renewed = await withApp((app) => {
        const unitOfWork = app.get(UnitOfWork, { strict: false });
        return app.get(SecretBox, { strict: false }).rotate((work) => unitOfWork.run(work));
      });
      print(
        { renewed },
        json,
        () => `Encrypted ${renewed} secrets anew. ENCRYPTION_KEY_PREVIOUS is not needed any more.`,
      );
    });
}
