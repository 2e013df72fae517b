import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { ConfigurationError, loadConfiguration } from './load-configuration';

let directory: string;
let file: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gala-configuration-'));
  file = join(directory, 'readable.pem');
  writeFileSync(file, 'pem');
});
afterAll(() => rmSync(directory, { recursive: true }));

function problemsOf(environment: Record<string, string>): string {
  try {
    loadConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return '';
}

test('the configuration is complete without any variable', () => {
  expect(loadConfiguration({})).toEqual({
    port: 3000,
    workers: 1,
    databaseUrl: undefined,
    dataDirectory: resolve('data'),
    publicUrl: new URL('http://localhost:3000'),
    trustedProxies: [],
    redisUrl: undefined,
    rateLimits: { reads: 1000, writes: 200, address: 300, workspace: undefined },
    publicRateLimits: { pages: 600, files: 1200 },
    maxApiKeys: 100,
    maxConcurrentRequests: 2000,
    maxConnectionsPerAddress: 1000,
    bodyMemory: 67_108_864,
    shutdownDelay: 0,
    tls: undefined,
    mail: { smtpUrl: undefined, from: 'Gala <no-reply@localhost>' },
    encryptionKey: undefined,
    previousEncryptionKey: undefined,
    webhookAllowedNetworks: [],
    whatsAppApiUrl: new URL('https://graph.facebook.com'),
    metrics: { port: undefined, token: undefined },
    logLevel: 'info',
  });
});

test('blank variables count as unset', () => {
  const names = [
    'PORT',
    'PUBLIC_URL',
    'DATABASE_URL',
    'DATA_DIR',
    'TRUSTED_PROXIES',
    'REDIS_URL',
    'LOG_LEVEL',
  ];
  const more = [
    'RATE_LIMIT_READS',
    'METRICS_PORT',
    'METRICS_TOKEN',
    'TLS_CERT_FILE',
    'TLS_KEY_FILE',
    'HTTPS_PORT',
    'SMTP_URL',
    'MAIL_FROM',
    'ENCRYPTION_KEY',
  ];
  for (const blank of ['', '  ', '\t']) {
    const environment = Object.fromEntries([...names, ...more].map((name) => [name, blank]));
    expect(loadConfiguration(environment)).toEqual(loadConfiguration({}));
  }
});

test('every variable is read', () => {
  const configuration = loadConfiguration({
    PORT: ' 8080 ',
    DATABASE_URL: 'postgresql://gala:secret@db:5432/gala?sslmode=require',
    DATA_DIR: '/var/lib/gala',
    PUBLIC_URL: 'https://api.example.com',
    TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1, 2001:db8::/32 ,,uniquelocal',
    REDIS_URL: 'rediss://:secret@cache:6380/1',
    RATE_LIMIT_READS: '5000',
    RATE_LIMIT_WRITES: '1',
    RATE_LIMIT_PAGES: '40',
    RATE_LIMIT_FILES: '30',
    RATE_LIMIT_WORKSPACE: '9000',
    MAX_API_KEYS: '7',
    MAX_CONCURRENT_REQUESTS: '50',
    MAX_CONNECTIONS_PER_ADDRESS: '60',
    MAX_BODY_MEMORY: '128',
    SHUTDOWN_DELAY: '5',
    METRICS_PORT: '9090',
    METRICS_TOKEN: 'token',
    LOG_LEVEL: 'debug',
    TLS_CERT_FILE: file,
    TLS_KEY_FILE: file,
    HTTPS_PORT: '8443',
    WORKERS: '4',
    SMTP_URL: 'smtps://gala:secret@mail:465',
    MAIL_FROM: 'hall@example.com',
    ENCRYPTION_KEY: '07'.repeat(32),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8, ::1',
    WHATSAPP_API_URL: 'http://localhost:4010',
  });
  expect(configuration).toEqual({
    port: 8080,
    workers: 4,
    databaseUrl: 'postgresql://gala:secret@db:5432/gala?sslmode=require',
    mail: { smtpUrl: 'smtps://gala:secret@mail:465', from: 'hall@example.com' },
    encryptionKey: Buffer.alloc(32, 7),
    previousEncryptionKey: undefined,
    webhookAllowedNetworks: ['127.0.0.0/8', '::1'],
    whatsAppApiUrl: new URL('http://localhost:4010'),
    dataDirectory: '/var/lib/gala',
    publicUrl: new URL('https://api.example.com'),
    trustedProxies: ['loopback', '10.0.0.0/8', '::1', '2001:db8::/32', 'uniquelocal'],
    redisUrl: 'rediss://:secret@cache:6380/1',
    rateLimits: { reads: 5000, writes: 1, address: 300, workspace: 9000 },
    publicRateLimits: { pages: 40, files: 30 },
    maxApiKeys: 7,
    maxConcurrentRequests: 50,
    maxConnectionsPerAddress: 60,
    bodyMemory: 134_217_728,
    shutdownDelay: 5,
    tls: { certificateFile: file, keyFile: file, port: 8443 },
    metrics: { port: 9090, token: 'token' },
    logLevel: 'debug',
  });
});

const WRONG: Record<string, string[]> = {
  RATE_LIMIT_WORKSPACE: ['0', 'off'],
  MAX_API_KEYS: ['0', '-1', 'all'],
  MAX_CONCURRENT_REQUESTS: ['0', '-1', 'many', '1.5'],
  RATE_LIMIT_PAGES: ['0', 'many'],
  RATE_LIMIT_FILES: ['0', 'many'],
  MAX_CONNECTIONS_PER_ADDRESS: ['0', '1000001', 'many'],
  MAX_BODY_MEMORY: ['31', '65537', '64MB'],
  SHUTDOWN_DELAY: ['-1', '5s', '301'],
  WORKERS: ['0', '-1', '129', '1.5', 'max'],
  PORT: ['x', '-1', '65536', '80.5', '1e3', '0x50', '80 80', '∞'],
  DATABASE_URL: ['db', 'mysql://db', 'postgres', 'http://db', '//db/gala'],
  PUBLIC_URL: ['api.example.com', 'ftp://api.example.com', 'localhost:3000', 'https://'],
  TRUSTED_PROXIES: [
    'proxy.local',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0/8',
    '10.0.0.1/8/8',
    '10.0.0.1/',
    '*',
    'true',
    '1',
  ],
  WEBHOOK_ALLOWED_NETWORKS: ['loopback', '10.0.0.0/33', 'receiver.local', '127.0.0.1:8080'],
  REDIS_URL: ['cache', 'http://cache', 'redis'],
  RATE_LIMIT_READS: ['0', '-1', 'many', '1.5', '1000000001'],
  RATE_LIMIT_WRITES: ['0', 'unlimited'],
  METRICS_PORT: ['x', '70000'],
  LOG_LEVEL: ['loud', 'INFO', '30'],
  HTTPS_PORT: ['x', '-1', '65536'],
  TLS_CERT_FILE: ['/nowhere/cert.pem'],
  TLS_KEY_FILE: ['/nowhere/key.pem'],
};

describe('invalid variables are reported, one per line', () => {
  test.each(Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value])))(
    '%s=%s',
    (name, value) => {
      const lines = problemsOf({ [name]: value }).split('\n');
      expect(lines[0]).toBe('The configuration is invalid:');
      expect(lines.slice(1).some((line) => line.startsWith(`  ${name} must `))).toBe(true);
    },
  );

  test('in one message, whichever they are', () => {
    fc.assert(
      fc.property(fc.subarray(Object.keys(WRONG), { minLength: 1 }), (names) => {
        const message = problemsOf(Object.fromEntries(names.map((name) => [name, WRONG[name]![0]!])));
        for (const name of names) expect(message).toContain(`\n  ${name} must `);
        for (const name of Object.keys(WRONG)) {
          // The TLS files are only valid together.
          if (!names.includes(name) && !name.startsWith('TLS_')) expect(message).not.toContain(`  ${name} `);
        }
      }),
    );
  });

  test('with each invalid entry of a list', () => {
    expect(problemsOf({ TRUSTED_PROXIES: 'one, 10.0.0.1, two' }).split('\n')).toHaveLength(3);
  });

  test('for arbitrary text that is no file, port or URL', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(WRONG)),
        fc.string({ unit: 'grapheme-ascii' }),
        (name, value) => {
          expect(typeof problemsOf({ [name]: value })).toBe('string');
        },
      ),
    );
  });
});

test('messages contain no secrets', () => {
  const message = problemsOf({
    DATABASE_URL: 'postgre://gala:hunter2@db/gala',
    REDIS_URL: 'reddis://:hunter2@cache',
    PUBLIC_URL: 'ftp://user:hunter2@example.com',
    METRICS_TOKEN: 'hunter2',
    PORT: 'x',
  });
  expect(message).toContain('DATABASE_URL must ');
  expect(message).not.toContain('hunter2');
});

describe('TLS', () => {
  const tls = () => ({ TLS_CERT_FILE: file, TLS_KEY_FILE: file });

  test('needs both files', () => {
    expect(problemsOf({ TLS_CERT_FILE: file })).toContain('TLS_KEY_FILE must be given together');
    expect(problemsOf({ TLS_KEY_FILE: file })).toContain('TLS_CERT_FILE must be given together');
  });

  test('has its own port, by default that of PUBLIC_URL', () => {
    expect(loadConfiguration(tls())).toMatchObject({
      tls: { port: 3443 },
      publicUrl: new URL('https://localhost:3443'),
    });
    const at = (PUBLIC_URL: string) => loadConfiguration({ ...tls(), PUBLIC_URL }).tls!.port;
    expect([at('https://gala.test'), at('https://gala.test:8443')]).toEqual([443, 8443]);
    expect(
      loadConfiguration({ ...tls(), PUBLIC_URL: 'https://gala.test', HTTPS_PORT: '9443' }).tls!.port,
    ).toBe(9443);
  });

  test('is refused if PUBLIC_URL is http or both ports are equal', () => {
    expect(problemsOf({ ...tls(), PUBLIC_URL: 'http://gala.test' })).toContain(
      'PUBLIC_URL must begin with https:',
    );
    expect(problemsOf({ ...tls(), PORT: '443', PUBLIC_URL: 'https://gala.test' })).toContain(
      'HTTPS_PORT must differ',
    );
    expect(problemsOf({ ...tls(), PORT: '8080', HTTPS_PORT: '8080' })).toContain('HTTPS_PORT must differ');
  });
});

describe('mail', () => {
  test('comes from PUBLIC_URL’s host, or from MAIL_FROM', () => {
    const PUBLIC_URL = 'https://gala.example:8443/prefix';
    expect(loadConfiguration({ PUBLIC_URL }).mail.from).toBe('Gala <no-reply@gala.example>');
    const MAIL_FROM = 'Garden Hall <hall@example.com>';
    expect(loadConfiguration({ PUBLIC_URL, MAIL_FROM }).mail.from).toBe(MAIL_FROM);
  });

  test.each(['smtp://localhost', 'smtps://ana:p%40ss@mail.example.com:465', 'smtp://[::1]:2525?pool=true'])(
    'goes by %s',
    (SMTP_URL) => expect(loadConfiguration({ SMTP_URL }).mail.smtpUrl).toBe(SMTP_URL),
  );

  test.each(['mail.example.com', 'http://mail.example.com', 'ana:hunter2@mail.example.com'])(
    'doesn’t go by %s, which isn’t repeated',
    (SMTP_URL) => {
      const problems = problemsOf({ SMTP_URL });
      expect(problems).toContain('SMTP_URL must be a URL that begins with smtp:// or smtps://');
      expect(problems).not.toContain(SMTP_URL);
    },
  );
});

describe('the encryption key', () => {
  const key = Buffer.alloc(32, 0xa7);

  test.each(['hex', 'base64', 'base64url'] as const)('is 32 bytes in %s', (encoding) => {
    expect(loadConfiguration({ ENCRYPTION_KEY: key.toString(encoding) }).encryptionKey).toEqual(key);
  });

  test.each(['hunter2', key.toString('hex').slice(2), `${key.toString('base64')}AAAA`])(
    'is not %s, which isn’t repeated',
    (ENCRYPTION_KEY) => {
      const problems = problemsOf({ ENCRYPTION_KEY });
      expect(problems).toContain('ENCRYPTION_KEY must be 32 bytes');
      expect(problems).not.toContain(ENCRYPTION_KEY);
    },
  );
});
