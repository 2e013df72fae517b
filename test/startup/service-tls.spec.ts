import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { createDatabase } from '../support/database';
import { build, freePort, WorkingDirectory } from '../support/gala-process';

jest.setTimeout(120_000);

let directory: WorkingDirectory;
let database: Awaited<ReturnType<typeof createDatabase>>;
let certificate: Buffer;
let tls: { TLS_CERT_FILE: string; TLS_KEY_FILE: string; DATABASE_URL: string };

beforeAll(async () => {
  build();
  directory = new WorkingDirectory();
  database = await createDatabase();
  tls = {
    TLS_CERT_FILE: join(directory.path, 'certificate.pem'),
    TLS_KEY_FILE: join(directory.path, 'key.pem'),
    DATABASE_URL: database.url,
  };
  execFileSync(
    'openssl',
    [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'.split(
        ' ',
      ),
      ...['-addext', 'subjectAltName=DNS:localhost', '-out', tls.TLS_CERT_FILE, '-keyout', tls.TLS_KEY_FILE],
    ],
    { stdio: 'pipe' },
  );
  certificate = readFileSync(tls.TLS_CERT_FILE);
}, 120_000);

afterAll(async () => {
  await directory.clear();
  await database.drop();
});

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** The certificate is checked: it is the one that was given, for the name that was asked for. */
function get(url: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { protocol } = new URL(url);
    const onResponse = (response: http.IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    };
    const options = { method, agent: false, lookup: undefined, family: 4 };
    const request =
      protocol === 'https:'
        ? https.request(url, { ...options, ca: certificate }, onResponse)
        : http.request(url, options, onResponse);
    request.on('error', reject).end();
  });
}

const ports = async () => ({ plain: await freePort(), secure: await freePort() });

test.each([
  { title: 'HTTPS_PORT', where: (port: number) => ({ HTTPS_PORT: String(port) }) },
  { title: 'the port of PUBLIC_URL', where: (port: number) => ({ PUBLIC_URL: `https://localhost:${port}` }) },
])('with a certificate HTTPS is served on $title, and PORT only redirects', async ({ where }) => {
  const { plain, secure } = await ports();
  const gala = await directory
    .start(['serve'], { env: { ...tls, PORT: String(plain), ...where(secure) } })
    .isUp();
  const origin = `https://localhost:${secure}`;
  expect(gala.stdout).toContain(`Gala is ready at ${origin} `);

  const served = await get(`${origin}/v1/leads`);
  expect(served.status).toBe(401);
  expect(JSON.parse(served.text).error.code).toBe('unauthorized');

  for (const [method, path] of [
    ['GET', '/v1/leads?page=2&stage=lost'],
    ['POST', '/v1/leads'],
    ['GET', '/docs'],
    ['GET', '/no/such/%C3%A4?a=%20b'],
  ] as const) {
    const redirected = await get(`http://localhost:${plain}${path}`, method);
    expect({ path, status: redirected.status }).toEqual({ path, status: 301 });
    expect(redirected.headers.location).toBe(origin + path);
    expect(redirected.headers).toMatchObject({
      'x-request-id': expect.any(String),
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
    });
  }
  for (const base of [origin, `http://localhost:${plain}`]) {
    expect(await get(`${base}/health/live`)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(await get(`${base}/health/ready`)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  }
  expect(await gala.stop()).toMatchObject({ code: 0, stderr: '' });
});
