import { parseUrl } from '../../kernel/url';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { parseEnv } from 'node:util';
import { parseEncryptionKey } from '../encryption/encryption-key';
import { LOG_LEVELS, type LogLevel } from '../logging/logger';
import type { Configuration } from './configuration';
import { basePathOf, ownPathIn } from './public-address';
import { misspeltVariables, type VariableName } from './variable-names';

type Environment = Record<string, string | undefined>;

/** Lists every invalid variable, one per line, so that an operator can correct them all at once. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

const ADDRESS_LIMIT = 300;
const MIB = 1024 * 1024;
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** The environment variables, and those of a `.env` file in the working directory that the environment doesn't set. */
export function readEnvironment(): Environment {
  return {
    ...(statSync('.env', { throwIfNoEntry: false })?.isFile() ? parseEnv(decode(readFileSync('.env'))) : {}),
    ...process.env,
  };
}

/** Decodes UTF-8 or UTF-16 (some Windows editors). A byte order mark would become part of the first name. */
function decode(file: Buffer): string {
  const isUtf16 = file[0] === 0xff && file[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(file);
}

/** Reads `.env` and the environment. Warns on standard error about variables that look misspelt, unless `warns` is false. */
export function readConfiguration({ warns = true } = {}): Configuration {
  const environment = readEnvironment();
  if (warns) for (const warning of misspeltVariables(environment)) process.stderr.write(`${warning}\n`);
  return loadConfiguration(environment);
}

export function loadConfiguration(environment: Environment): Configuration {
  const variables = new Variables(environment);
  const port = variables.port('PORT') ?? 3000;
  const publicUrl = variables.publicUrl('PUBLIC_URL');
  const tls = readTls(variables, port, publicUrl);
  const reachedAt = publicUrl ?? new URL(tls ? `https://localhost:${tls.port}` : `http://localhost:${port}`);
  const configuration: Configuration = {
    port,
    workers: variables.integer('WORKERS', 1, 128) ?? 1,
    databaseUrl: variables.url('DATABASE_URL', ['postgres:', 'postgresql:'])?.href,
    dataDirectory: resolve(variables.text('DATA_DIR') ?? './data'),
    publicUrl: reachedAt,
    trustedProxies: variables.proxies('TRUSTED_PROXIES'),
    redisUrl: variables.url('REDIS_URL', ['redis:', 'rediss:'])?.href,
    rateLimits: {
      reads: variables.integer('RATE_LIMIT_READS', 1, 1_000_000_000) ?? 1000,
      writes: variables.integer('RATE_LIMIT_WRITES', 1, 1_000_000_000) ?? 200,
      address: ADDRESS_LIMIT,
      workspace: variables.integer('RATE_LIMIT_WORKSPACE', 1, 1_000_000_000),
    },
    publicRateLimits: {
      pages: variables.integer('RATE_LIMIT_PAGES', 1, 1_000_000_000) ?? 600,
      files: variables.integer('RATE_LIMIT_FILES', 1, 1_000_000_000) ?? 1200,
    },
    maxConnectionsPerAddress: variables.integer('MAX_CONNECTIONS_PER_ADDRESS', 1, 1_000_000) ?? 1000,
    bodyMemory: (variables.integer('MAX_BODY_MEMORY', 32, 65_536) ?? 64) * MIB,
    maxApiKeys: variables.integer('MAX_API_KEYS', 1, 100_000) ?? 100,
    maxConcurrentRequests: variables.integer('MAX_CONCURRENT_REQUESTS', 1, 1_000_000) ?? 2000,
    shutdownDelay: variables.integer('SHUTDOWN_DELAY', 0, 300) ?? 0,
    tls,
    mail: {
      smtpUrl: variables.url('SMTP_URL', ['smtp:', 'smtps:'])?.href,
      from: variables.text('MAIL_FROM') ?? `Gala <no-reply@${reachedAt.hostname}>`,
    },
    webhookAllowedNetworks: variables.networks('WEBHOOK_ALLOWED_NETWORKS'),
    whatsAppApiUrl:
      variables.url('WHATSAPP_API_URL', ['https:', 'http:']) ?? new URL('https://graph.facebook.com'),
    encryptionKey: variables.encryptionKey('ENCRYPTION_KEY'),
    previousEncryptionKey: variables.encryptionKey('ENCRYPTION_KEY_PREVIOUS'),
    metrics: { port: variables.port('METRICS_PORT'), token: variables.text('METRICS_TOKEN') },
    logLevel: variables.oneOf('LOG_LEVEL', LOG_LEVELS) ?? ('info' satisfies LogLevel),
  };
  if (variables.problems.length) throw new ConfigurationError(variables.problems);
  return configuration;
}

function readTls(variables: Variables, port: number, publicUrl: URL | undefined): Configuration['tls'] {
  const certificateFile = variables.file('TLS_CERT_FILE');
  const keyFile = variables.file('TLS_KEY_FILE');
  const ownPort = variables.port('HTTPS_PORT');
  if (!certificateFile && !keyFile) return undefined;
  if (!certificateFile) variables.refuse('TLS_CERT_FILE', 'must be given together with TLS_KEY_FILE');
  if (!keyFile) variables.refuse('TLS_KEY_FILE', 'must be given together with TLS_CERT_FILE');
  if (publicUrl && publicUrl.protocol !== 'https:') {
    variables.refuse('PUBLIC_URL', 'must begin with https: when TLS_CERT_FILE and TLS_KEY_FILE are given');
  }
  const publicPort = publicUrl && Number(publicUrl.port || 443);
  const tlsPort = ownPort ?? publicPort ?? 3443;
  if (tlsPort === port) {
    variables.refuse(
      'HTTPS_PORT',
      `must differ from PORT (${port}), which only redirects to it; its default is PUBLIC_URL's port`,
    );
  }
  return { certificateFile: certificateFile ?? '', keyFile: keyFile ?? '', port: tlsPort };
}

/** Checks the content of the files; `loadConfiguration` only checks that they can be read. */
export function checkTlsFiles({ tls }: Configuration): void {
  if (!tls) return;
  try {
    createSecureContext({ cert: readFileSync(tls.certificateFile), key: readFileSync(tls.keyFile) });
  } catch {
    throw new ConfigurationError([
      'TLS_CERT_FILE and TLS_KEY_FILE must be PEM files of a certificate and its private key',
    ]);
  }
}

/** Reads single variables and collects their problems. A blank variable counts as unset. */
class Variables {
  readonly problems: string[] = [];

  constructor(private readonly environment: Environment) {}

  refuse(name: VariableName, problem: string): undefined {
    this.problems.push(`${name} ${problem}`);
    return undefined;
  }

  text(name: VariableName): string | undefined {
    return this.environment[name]?.trim() || undefined;
  }

  integer(name: VariableName, min: number, max: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    return this.refuse(name, `must be a whole number from ${min} to ${max}, not "${text}"`);
  }

  port(name: VariableName): number | undefined {
    return this.integer(name, 1, 65535);
  }

  oneOf<Value extends string>(name: VariableName, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    if (text === undefined || values.includes(text as Value)) return text as Value | undefined;
    return this.refuse(name, `must be one of ${values.join(', ')}, not "${text}"`);
  }

  /** The message omits the value, because it may contain a password. */
  url(name: VariableName, protocols: string[]): URL | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = parseUrl(text);
    if (url && protocols.includes(url.protocol)) return url;
    return this.refuse(
      name,
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
  }

  publicUrl(name: VariableName): URL | undefined {
    const url = this.url(name, ['http:', 'https:']);
    if (!url) return undefined;
    if (url.username || url.password || url.search || url.hash) {
      return this.refuse(name, 'must not contain a user name, password, query or fragment');
    }
    const ownPath = ownPathIn(basePathOf(url));
    if (ownPath === undefined) return url;
    return this.refuse(name, `must not have a path that begins with ${ownPath}, because Gala's own paths do`);
  }

  file(name: VariableName): string | undefined {
    const path = this.text(name);
    if (path === undefined) return undefined;
    try {
      accessSync(path, constants.R_OK);
      return path;
    } catch {
      return this.refuse(name, `must name a readable file, not "${path}"`);
    }
  }

  encryptionKey(name: VariableName): Buffer | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return (
      parseEncryptionKey(text) ??
      this.refuse(name, 'must be 32 bytes in base64 or hexadecimal; `openssl rand -base64 32` generates one')
    );
  }

  list(name: VariableName): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  }

  proxies(name: VariableName): string[] {
    const entries = this.list(name);
    for (const entry of entries) {
      if (!isNetwork(entry) && !PROXY_NAMES.includes(entry)) {
        this.refuse(
          name,
          `must list addresses, networks such as 10.0.0.0/8, or ${PROXY_NAMES.join(', ')}; not "${entry}"`,
        );
      }
    }
    return entries;
  }

  networks(name: VariableName): string[] {
    const entries = this.list(name);
    for (const entry of entries) {
      if (!isNetwork(entry)) {
        this.refuse(name, `must list addresses or networks such as 127.0.0.0/8; not "${entry}"`);
      }
    }
    return entries;
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (!version || rest.length) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
