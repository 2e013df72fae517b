import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Composition } from '../../app.module';
import { Mailer } from '../../kernel/mailer';
import type { Configuration } from '../../platform/config/configuration';
import { isLoopbackHost } from '../../platform/config/loopback-host';
import { SecretBox, WrongEncryptionKey } from '../../platform/encryption/secret-box';
import type { Database } from '../../platform/persistence/database';
import type { Query } from '../../platform/persistence/with-connection';
import { type Finding, findingsOf } from './finding';

const redis = findingsOf('redis');
const mail = findingsOf('mail');
const key = findingsOf('encryption-key');
const TIMEOUT_MS = 5000;

export async function checkRedis({ redisUrl }: Configuration): Promise<Finding[]> {
  if (!redisUrl) {
    return [
      redis.ok(
        'REDIS_URL isn’t set: rate limits are counted in memory, which is exact for a single instance.',
      ),
    ];
  }
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url: redisUrl,
    socket: { connectTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.set('gala:doctor', '1', { expiration: { type: 'EX', value: 1 } });
    return [redis.ok('Redis is reachable and writable.')];
  } catch (error) {
    return [
      redis.problem(
        `Redis can’t be used: ${reasonOf(error)}.`,
        'Check REDIS_URL and the server. Until then, each instance grants the full rate limits.',
      ),
    ];
  } finally {
    client.destroy();
  }
}

export async function checkMail(
  { mail: { smtpUrl, from }, publicUrl }: Configuration,
  { overrides = [] }: Composition,
): Promise<Finding[]> {
  if (overrides.some(({ provide }) => provide === Mailer)) {
    return [mail.ok('Emails are sent by an override of Mailer.')];
  }
  if (!smtpUrl) {
    if (isLoopbackHost(publicUrl.hostname)) return [mail.ok('Emails are printed on the service’s console.')];
    return [
      mail.warning(
        'No emails are sent: invitations and password links reach nobody.',
        'Set SMTP_URL, or create links with `gala user reset-link`.',
      ),
    ];
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpUrl, {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as object);
  try {
    await transport.verify();
    return [mail.ok(`The mail server is reachable. Emails come from ${from}.`)];
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

/** @param query reads a database that has the schema */
export async function checkEncryptionKey(configuration: Configuration, query: Query): Promise<Finding[]> {
  const { encryptionKey, databaseUrl, dataDirectory } = configuration;
  if (!encryptionKey && !existsSync(join(dataDirectory, 'encryption-key'))) {
    return [
      key.warning(
        'There is no encryption key yet. The service creates one in DATA_DIR when it needs it.',
        'Set ENCRYPTION_KEY (`openssl rand -base64 32`), the same for all instances, and back it up.',
      ),
    ];
  }
  try {
    // SecretBox only queries the database.
    await new SecretBox(configuration, { query } as unknown as Database).verifyKey();
  } catch (error) {
    if (!(error instanceof WrongEncryptionKey)) throw error;
    return [key.problem('The secrets in the database were encrypted with another key.', error.message)];
  }
  if (databaseUrl && !encryptionKey) {
    return [
      key.warning(
        'The encryption key is a file in DATA_DIR that other instances don’t have.',
        'Before you add a second instance, set ENCRYPTION_KEY to the file’s content.',
      ),
    ];
  }
  return [key.ok('The encryption key matches the database.')];
}

/** Prefers the code, because messages may quote a URL that holds a password. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message.replace(/\.$/, '');
}
