import type { Logger } from '../logging/logger';

export type Redis = Awaited<ReturnType<typeof createRedis>>;

/** Not connected yet; says in the log when Redis goes and comes back. */
export async function createRedis(url: string, logger: Logger) {
  // A fifth of all the files that a start would read: for those who need it.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // A Redis that is there but says nothing is taken for away after a few seconds, and not asked until it answers.
    pingInterval: 1000,
    socket: {
      connectTimeout: 2000,
      socketTimeout: 3000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2000),
    },
  });
  let away = false;
  client.on('error', (error: NodeJS.ErrnoException) => {
    if (!away) logger.warn({ code: error.code }, 'Redis is away: rate limits count per instance');
    away = true;
  });
  client.on('ready', () => {
    if (away) logger.info('Redis is back: rate limits are shared again');
    away = false;
  });
  return client;
}
