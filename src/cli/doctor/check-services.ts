import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../platform/config/configuration';
import { isOwnMachine } from '../../platform/config/own-machine';
import { SecretBox, WrongEncryptionKey } from '../../platform/encryption/secret-box';
import type { Database } from '../../platform/persistence/database';
import type { Query } from '../../platform/persistence/inspect-database';
import { type Finding, findingsOf } from './finding';

const redis = findingsOf('redis');
const mail = findingsOf('mail');
const key = findingsOf('encryption-key');
const PATIENCE_MS = 5000;

export async function checkRedis({ redisUrl }: Configuration): Promise<Finding[]> {
  if (!redisUrl) {
    return [
      redis.ok('None is set: rate limits count in this process, which is right for a single instance.'),
    ];
  }
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url: redisUrl,
    socket: { connectTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS, reconnectStrategy: false },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.set('gala:doctor', '1', { expiration: { type: 'EX', value: 1 } });
    return [redis.ok('Redis answers, and can be written to.')];
  } catch (error) {
    return [
      redis.problem(
        `Redis can’t be used: ${reasonOf(error)}.`,
        'Check REDIS_URL and the Redis behind it. Meanwhile each instance grants the full rate limits.',
      ),
    ];
  } finally {
    client.destroy();
  }
}

export async function checkMail({ mail: { smtpUrl, from }, publicUrl }: Configuration): Promise<Finding[]> {
  if (!smtpUrl) {
    if (isOwnMachine(publicUrl.hostname)) return [mail.ok('Mails are shown on the service’s console.')];
    return [
      mail.warning(
        'No mail is sent: invitations and password links reach nobody.',
        'Set SMTP_URL, or hand out links with `gala user reset-link`.',
      ),
    ];
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpUrl, {
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  } as object);
  try {
    await transport.verify();
    return [mail.ok(`The mail server takes mails; they come from ${from}.`)];
  } catch (error) {
    return [
      mail.problem(
        `The mail server can’t be used: ${reasonOf(error)}.`,
        'Check SMTP_URL: host, port, user and password.',
      ),
    ];
  } finally {
    transport.close();
  }
}

/** `query` asks a database that has its schema. */
export async function checkEncryptionKey(configuration: Configuration, query: Query): Promise<Finding[]> {
  const { encryptionKey, databaseUrl, dataDirectory } = configuration;
  if (!encryptionKey && !existsSync(join(dataDirectory, 'encryption-key'))) {
    return [
      key.warning(
        'There is no encryption key yet: the service would make one in DATA_DIR when it needs it.',
        'Set ENCRYPTION_KEY (`openssl rand -base64 32`), the same for all instances, and keep a copy.',
      ),
    ];
  }
  try {
    // It asks nothing else of a database.
    await new SecretBox(configuration, { query } as unknown as Database).verifyKey();
  } catch (error) {
    if (!(error instanceof WrongEncryptionKey)) throw error;
    return [key.problem('The secrets in the database were encrypted with another key.', error.message)];
  }
  if (databaseUrl && !encryptionKey) {
    return [
      key.warning(
        'The encryption key is a file in DATA_DIR, which other instances don’t have.',
        'Before there is a second instance, set ENCRYPTION_KEY to what is in it.',
      ),
    ];
  }
  return [key.ok('The encryption key fits the database.')];
}

/** By code where there is one: messages may quote what is in an address. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message.replace(/\.$/, '');
}
