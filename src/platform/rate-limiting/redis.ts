import type { Logger } from '../logging/logger';

export type Redis = Awaited<ReturnType<typeof createRedis>>;

/** Returns an unconnected client. Logs when Redis becomes unavailable and available again. */
export async function createRedis(url: string, logger: Logger) {
  // Loaded only when needed: it is a fifth of all files that a start would read.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // A silent Redis counts as unavailable after a few seconds, and isn't used until it answers.
    pingInterval: 1000,
    socket: {
      connectTimeout: 2000,
      socketTimeout: 3000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2000),
    },
  });
  let away = false;
  client.on('error', (error: NodeJS.ErrnoException) => {
    if (!away)
      logger.warn({ code: error.code }, 'Redis is unavailable: rate limits are counted per instance');
    away = true;
  });
  client.on('ready', () => {
    if (away) logger.info('Redis is available again: rate limits are shared');
    away = false;
  });
  return client;
}
