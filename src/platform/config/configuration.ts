import type { LogLevel } from '../logging/logger';

/** How this instance runs, checked once at the start. Times are in seconds, sizes in bytes unless a name says more. */
export class Configuration {
  readonly port!: number;
  /** Processes that answer requests. */
  readonly workers!: number;
  /** Absent: the database is the embedded one in `dataDirectory`. */
  readonly databaseUrl?: string;
  readonly dataDirectory!: string;
  /** Where clients reach the service: `{base_url}` without `/v1`. */
  readonly publicUrl!: URL;
  /** Addresses, networks or express's names for them, whose X-Forwarded-* headers count. */
  readonly trustedProxies!: readonly string[];
  readonly redisUrl?: string;
  /** Requests a minute. `workspace` is for all credentials of a workspace and mode together; absent, there is no such limit. */
  readonly rateLimits!: {
    readonly reads: number;
    readonly writes: number;
    readonly address: number;
    readonly workspace?: number;
  };
  /** Requests a minute outside the API: pages for each signed-in person or else address, the rest for each address. */
  readonly publicRateLimits!: { readonly pages: number; readonly files: number };
  /** Live API keys of one workspace and mode. */
  readonly maxApiKeys!: number;
  /** Requests that may wait for their turn, if they are small; a large body takes the room of several. */
  readonly maxConcurrentRequests!: number;
  /** To one process, of those that don't come by a trusted proxy. */
  readonly maxConnectionsPerAddress!: number;
  /** For the bodies of all requests that a process has not answered yet. */
  readonly bodyMemory!: number;
  /** Seconds from the signal to stop, when the service is no longer ready, until it stops to listen. */
  readonly shutdownDelay!: number;
  /** With it, HTTPS is served on `port` of its own and `Configuration.port` redirects there. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string; readonly port: number };
  /** Without an SMTP server mails are shown on the console of a local service, and not sent by any other. */
  readonly mail!: { readonly smtpUrl?: string; readonly from: string };
  /** 32 bytes. Absent: a key of its own in `dataDirectory`. */
  readonly encryptionKey?: Buffer;
  /** The one before, while the key is being changed. */
  readonly previousEncryptionKey?: Buffer;
  /** Networks in CIDR notation that webhooks may be delivered into, although they aren't public; by HTTP too. */
  readonly webhookAllowedNetworks!: readonly string[];
  /** Where WhatsApp’s API is; another address only for tests. */
  readonly whatsAppApiUrl!: URL;
  readonly metrics!: { readonly port?: number; readonly token?: string };
  readonly logLevel!: LogLevel;
}
