import type { LogLevel } from '../logging/logger';

/** The configuration of this instance, validated once at start. Times are in seconds and sizes in bytes. */
export class Configuration {
  readonly port!: number;
  /** Number of processes that answer requests. */
  readonly workers!: number;
  /** Without it, the embedded database in `dataDirectory` is used. */
  readonly databaseUrl?: string;
  readonly dataDirectory!: string;
  /** The address that clients use: `{base_url}` without `/v1`. */
  readonly publicUrl!: URL;
  /** Addresses, networks, or Express's names for them, whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies!: readonly string[];
  readonly redisUrl?: string;
  /** Requests a minute. `workspace` applies to all credentials of a workspace and mode together, and is optional. */
  readonly rateLimits!: {
    readonly reads: number;
    readonly writes: number;
    readonly address: number;
    readonly workspace?: number;
  };
  /** Requests a minute outside the API: pages per signed-in person or else per address, files per address. */
  readonly publicRateLimits!: { readonly pages: number; readonly files: number };
  /** Live API keys per workspace and mode. */
  readonly maxApiKeys!: number;
  /** Small requests that may wait for their turn. One with a large body counts as several. */
  readonly maxConcurrentRequests!: number;
  /** Open connections per process and address, except trusted proxies. */
  readonly maxConnectionsPerAddress!: number;
  /** Memory for the bodies of all unanswered requests of a process. */
  readonly bodyMemory!: number;
  /** Seconds between the stop signal, when the service stops being ready, and closing the port. */
  readonly shutdownDelay!: number;
  /** With it, HTTPS is served on its `port`, and `Configuration.port` redirects there. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string; readonly port: number };
  /** Without an SMTP server, a local service prints emails on its console, and any other sends none. */
  readonly mail!: { readonly smtpUrl?: string; readonly from: string };
  /** 32 bytes. Without it, a key in `dataDirectory` is used. */
  readonly encryptionKey?: Buffer;
  /** The previous key while the key is being changed. */
  readonly previousEncryptionKey?: Buffer;
  /** Private networks in CIDR notation that webhooks may reach, also by HTTP. */
  readonly webhookAllowedNetworks!: readonly string[];
  /** The address of WhatsApp’s API; changed only for tests. */
  readonly whatsAppApiUrl!: URL;
  readonly metrics!: { readonly port?: number; readonly token?: string };
  readonly logLevel!: LogLevel;
}
