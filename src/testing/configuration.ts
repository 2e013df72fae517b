import type { Configuration } from '../platform/config/configuration';

/** That of a service on this machine, with limits that no test reaches by accident, and without a file or a mail server. */
export const TEST_CONFIGURATION: Configuration = {
  workers: 1,
  port: 0,
  dataDirectory: '',
  publicUrl: new URL('http://localhost:3000'),
  trustedProxies: [],
  rateLimits: { reads: 100_000, writes: 100_000, address: 100_000 },
  publicRateLimits: { pages: 100_000, files: 100_000 },
  maxApiKeys: 100,
  maxConcurrentRequests: 2000,
  maxConnectionsPerAddress: 20_000,
  bodyMemory: 64 * 1024 * 1024,
  shutdownDelay: 0,
  mail: { from: 'Gala <no-reply@gala.test>' },
  encryptionKey: Buffer.alloc(32, 7),
  webhookAllowedNetworks: [],
  whatsAppApiUrl: new URL('http://whatsapp.invalid'),
  metrics: {},
  logLevel: 'info',
};
