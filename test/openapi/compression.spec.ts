import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { browserOf, newEmail, workspaceOf } from '../support/people';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
beforeAll(async () => void (gala = await startGala()));
afterAll(() => gala.stop());

const DECODED: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes) => bytes,
};

async function get(path: string, headers: Record<string, string> = {}) {
  // Not by fetch, which asks for compression by itself, and undoes it.
  const { request } = await import('node:http');
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      request(`${gala.baseUrl}${path}`, { headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () =>
            resolve({
              status: answer.statusCode!,
              headers: answer.headers,
              bytes: Buffer.concat(chunks),
            }),
          );
      })
        .on('error', reject)
        .end();
    },
  );
}

/** Of the page, and all the files that it loads. */
async function addresses(path: string): Promise<string[]> {
  const text = (await get(path)).bytes.toString();
  const found = [...text.matchAll(/(?:src|href)="([^"#]+\.(?:js|css|svg|json))"/g)];
  return [path, ...found.map(([, address]) => new URL(address!, `${gala.baseUrl}${path}`).pathname)];
}

const FILES = [
  '/openapi.json',
  '/docs',
  '/docs/guides/first-lead',
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui.css',
  '/docs/reference.js',
  '/docs/reference.css',
];

describe.each(FILES)('%s', (path) => {
  test.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['br', 'br;q=0.5, gzip;q=0.1'],
    ['br', '*'],
    ['gzip', 'gzip'],
    ['gzip', 'gzip, br;q=0'],
    ['none', 'identity'],
    ['none', ''],
    ['none', 'zstd, deflate'],
    ['none', '*;q=0'],
  ])('comes as %s to a client that accepts “%s”, and is the same', async (coding, accepted) => {
    const plain = await get(path);
    const coded = await get(path, { 'accept-encoding': accepted });
    expect(coded.status).toBe(200);
    expect(coded.headers['content-encoding']).toBe(coding === 'none' ? undefined : coding);
    expect(DECODED[coding]!(coded.bytes).equals(plain.bytes)).toBe(true);
    expect(Number(coded.headers['content-length'])).toBe(coded.bytes.length);
    for (const { headers } of [plain, coded]) expect(headers.vary).toBe('Accept-Encoding');
    expect(coded.headers['content-type']).toBe(plain.headers['content-type']);
    if (coding !== 'none') expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 1.5);
  });

  test('has a strong tag for each coding, and is a 304 to whoever has that one', async () => {
    const tags = new Set<unknown>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const first = await get(path, { 'accept-encoding': accepted });
      const tag = String(first.headers.etag);
      expect(tag).toMatch(/^"[\w-]+"$/);
      tags.add(tag);
      const again = await get(path, { 'accept-encoding': accepted, 'if-none-match': tag });
      expect(again).toMatchObject({ status: 304, headers: { etag: tag, vary: 'Accept-Encoding' } });
      expect(again.headers['content-encoding']).toBeUndefined();
      expect(again.bytes).toHaveLength(0);
      const other = await get(path, { 'accept-encoding': accepted, 'if-none-match': '"another"' });
      expect(other.status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });
});

test('the API reference takes less than a fifth of what it would uncompressed', async () => {
  const sizes = async (headers: Record<string, string>) => {
    let sum = 0;
    for (const path of await addresses('/docs')) sum += (await get(path, headers)).bytes.length;
    return sum;
  };
  expect(await sizes({ 'accept-encoding': 'br' })).toBeLessThan((await sizes({})) / 5);
});

test('the files of every page are compressed, and cached as before', async () => {
  const [, ...files] = await addresses('/sign-in');
  for (const path of files.filter((name) => !name.endsWith('.svg'))) {
    const { headers } = await get(path, { 'accept-encoding': 'br' });
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  }
});

test('what holds secrets beside what a request said is never compressed: pages, the API, OAuth', async () => {
  const email = newEmail();
  const workspace = await workspaceOf(gala, email);
  const owner = await browserOf(gala, email);
  const key = await (await gala.createWorkspace()).key('live');
  const headers = { 'accept-encoding': 'br, gzip' };
  const own = {
    ...headers,
    cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
  const answers = [
    await get('/sign-in', headers),
    await get(`/settings/${workspace}/members`, own),
    await get(`/settings/${workspace}/live/api-keys`, own),
    await get('/account', own),
    await get('/v1/leads?limit=100', { ...headers, authorization: `Bearer ${key}` }),
    await get('/v1/me', { ...headers, authorization: `Bearer ${key}` }),
    await get('/v1/nowhere', headers),
    await get('/oauth/authorize?client_id=x', own),
  ];
  expect(answers.map(({ status }) => status)).toEqual([
    200,
    200,
    200,
    200,
    200,
    200,
    401,
    expect.any(Number),
  ]);
  for (const answer of answers) expect(answer.headers['content-encoding']).toBeUndefined();
});
