import sharp from 'sharp';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';
import { startGala, type TestGala, type TestWorkspace } from '../support/start-gala';
import { multipart, picture, upload, uploaded } from './support';

let gala: TestGala;
let workspace: TestWorkspace;
let client: Client;
beforeAll(async () => {
  gala = await startGala();
});
beforeEach(async () => {
  workspace = await gala.createWorkspace();
  client = await workspace.client();
});
afterAll(() => gala.stop());

const noSuchFile = 'file_01h455vb4pex5vsknk084sn02q';

/** Every size of a file, as it is stored. */
async function stored(id: string): Promise<{ rendition: string; content: Buffer }[]> {
  const rows = await sql(
    gala.databaseUrl,
    'SELECT rendition, content FROM file_contents WHERE file_id = (SELECT id FROM files ORDER BY created_at DESC LIMIT 1) ORDER BY 1',
  );
  expect((await client.get(`/v1/files/${id}`)).status).toBe(200);
  return rows as { rendition: string; content: Buffer }[];
}

describe('an image', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'] as const)('as %s is taken and described', async (format) => {
    const answer = await upload(client, await picture({ width: 640, height: 480, format }), {
      type: 'image/png',
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `/v1/files/${answer.body.id}` },
      body: { name: null, type: `image/${format}`, width: 640, height: 480 },
    });
    expect(answer.body.url).toMatch(/\/files\/[\w-]{43}\/full\.jpg$/);
    expect((await client.get(`/v1/files/${answer.body.id}`)).body).toEqual(answer.body);
    expect((await stored(answer.body.id)).map(({ rendition }) => rendition)).toEqual([
      '480.webp',
      '640.webp',
      'full.jpg',
    ]);
  });

  test('of a form keeps its name, without folders', async () => {
    const { body, type } = multipart(await picture(), 'C:\\photos\\Jardín\u200b.png');
    const answer = await upload(client, body, { type });
    expect(answer).toMatchObject({ status: 201, body: { name: 'Jardín.png', type: 'image/png' } });
  });

  test('is made in widths up to its own, with one for programs without WebP', async () => {
    const { id } = await uploaded(client, await picture({ width: 3000, height: 2000, format: 'jpeg' }));
    const sizes = await Promise.all(
      (await stored(id)).map(async ({ rendition, content }) => {
        const { format, width, height } = await sharp(content).metadata();
        return [rendition, format, width, height];
      }),
    );
    expect(sizes).toEqual([
      ['1920.webp', 'webp', 1920, 1280],
      ['480.webp', 'webp', 480, 320],
      ['960.webp', 'webp', 960, 640],
      ['full.jpg', 'jpeg', 2560, 1707],
    ]);
  });

  test('with transparency keeps it', async () => {
    const { id, url } = await uploaded(client, { alpha: true });
    expect(url).toMatch(/full\.png$/);
    const [webp, png] = await stored(id);
    for (const { content } of [webp!, png!]) {
      expect((await sharp(content).stats()).isOpaque).toBe(false);
    }
  });

  test('loses where it was taken, and is turned upright', async () => {
    const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'green' } })
      .jpeg()
      .withExif({
        IFD0: { Make: 'Secret camera' },
        IFD3: { GPSLatitude: '36/1 43/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(photo.includes('Exif')).toBe(true);
    const file = await uploaded(client, photo);
    expect(file).toMatchObject({ width: 40, height: 60 });
    for (const { content } of await stored(file.id)) {
      expect(content.includes('Exif')).toBe(false);
      expect(content.includes('Secret')).toBe(false);
      expect(await sharp(content).metadata()).toMatchObject({ width: 40, height: 60 });
    }
  });

  test('loses whatever is appended to it', async () => {
    const script = '<script>alert(1)</script>PK\u0003\u0004';
    const { id } = await uploaded(
      client,
      Buffer.concat([await picture({ format: 'jpeg' }), Buffer.from(script)]),
    );
    for (const { content } of await stored(id)) expect(content.includes('script')).toBe(false);
  });

  test('is listed, newest first, page by page', async () => {
    const first = await uploaded(client);
    const second = await uploaded(client);
    const { body } = await client.get('/v1/files?limit=1');
    expect(body).toMatchObject({ data: [second], pagination: { total: 2 } });
    const next = await client.get(`/v1/files?limit=1&cursor=${body.pagination.nextCursor}`);
    expect(next.body.data).toEqual([first]);
  });
});

describe('is refused', () => {
  const refused = async (bytes: Buffer, message: string | RegExp) => {
    const answer = await upload(client, bytes);
    expect(answer).toMatchObject({ status: 422, body: { error: { field: 'file' } } });
    expect(answer.body.error.message).toMatch(message);
    expect((await client.get('/v1/files')).body.pagination.total).toBe(0);
  };

  test.each([
    ['nothing', Buffer.alloc(0), /required/],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /JPEG, PNG, WebP or AVIF/],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00'), /JPEG, PNG, WebP or AVIF/],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), /JPEG, PNG, WebP or AVIF/],
    ['a page that begins like a JPEG', Buffer.from('\xff\xd8\xff<html><script>', 'latin1'), /broken/],
    ['the first bytes of a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /broken/],
  ])('%s', (_, bytes, message) => refused(bytes, message));

  test('an image that was cut off', async () => {
    const whole = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        noise: { type: 'gaussian', mean: 120, sigma: 60 },
        background: 'red',
      },
    })
      .jpeg()
      .toBuffer();
    await refused(whole.subarray(0, whole.length / 2), /read to its end/);
  });

  test('a small file that would be a billion pixels', async () => {
    const bomb = await pngOf(30_000, 30_000);
    expect(bomb.length).toBeLessThan(8 * 1024 ** 2);
    await refused(bomb, /30000 × 30000 pixels/);
  });

  test.each([
    ['16 bits and transparency', { bits: 16, colourType: 6 }, /at most 16 megapixels/],
    ['interlaced, with 16 bits', { bits: 16, colourType: 2, interlace: 1 }, /at most 21 megapixels/],
  ])('a small file that would take too much memory: %s', async (_, header, message) => {
    await refused(await pngOf(6300, 6300, header), message);
  });

  test('an image that is long and thin', async () => {
    await refused(await pngOf(16_001, 8), /16001 × 8 pixels/);
  });

  test.each([2, 10_000])('an animation of %i frames', async (frames) => {
    const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
    const animated = await sharp({
      create: { width: 2, height: 2 * frames, pageHeight: 2, channels: 3, noise, background: 'red' },
    } as sharp.SharpOptions)
      .webp({ loop: 0, delay: Array<number>(frames).fill(20), effort: 0 })
      .toBuffer();
    await refused(animated, RegExp(`animated, with ${frames} frames`));
  });

  test('a file of more than 8 MiB, before it was read to its end', async () => {
    const bytes = Buffer.alloc(8 * 1024 ** 2 + 1, (await picture()).subarray(0, 8));
    const answer = await upload(client, bytes);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
    expect(answer.body.error.message).toBe('The file is larger than 8 MiB: make it smaller.');
  });

  test('a form with other fields, or without a file', async () => {
    const { body, type } = multipart(await picture(), 'a.png', { width: '10' });
    expect(await upload(client, body, { type })).toMatchObject({
      status: 422,
      body: { error: { field: 'width' } },
    });
    const empty = multipart(Buffer.alloc(0), 'a.png');
    expect((await upload(client, empty.body, { type: empty.type })).status).toBe(422);
  });

  test.each(['application/json', 'text/html', 'image/svg+xml', ''])('the type %j', async (type) => {
    const answer = await upload(client, await picture(), { type });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });
});

/** A PNG whose header says that size, without its pixels. */
async function pngOf(
  width: number,
  height: number,
  { bits, colourType, interlace = 0 }: { bits?: number; colourType?: number; interlace?: number } = {},
): Promise<Buffer> {
  const png = await picture({ width: 8, height: 8 });
  if (bits) png.writeUInt8(bits, 24);
  if (colourType) png.writeUInt8(colourType, 25);
  png.writeUInt8(interlace, 28);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  // The checksum of the header is that of its new content.
  const { crc32 } = await import('node:zlib');
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

describe('of other workspaces and modes', () => {
  test('files are not found, listed or deleted', async () => {
    const { id } = await uploaded(client);
    const strangers = [await (await gala.createWorkspace()).client(), await workspace.client('test')];
    for (const stranger of strangers) {
      expect((await stranger.get('/v1/files')).body.pagination.total).toBe(0);
      const unknown = await stranger.get(`/v1/files/${noSuchFile}`);
      const { requestId: _, ...error } = unknown.body.error;
      expect(await stranger.get(`/v1/files/${id}`)).toMatchObject({ status: 404, body: { error } });
      expect(await stranger.delete(`/v1/files/${id}`)).toMatchObject({ status: 404, body: { error } });
    }
    expect((await client.get(`/v1/files/${id}`)).status).toBe(200);
  });
});

describe('an idempotency key', () => {
  test('stores an image once, and is refused with another one', async () => {
    const headers = { 'Idempotency-Key': 'cover' };
    const bytes = await picture();
    const first = await upload(client, bytes, { headers });
    const again = await upload(client, bytes, { headers });
    expect(again).toMatchObject({
      status: 201,
      body: first.body,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect(await upload(client, await picture({ width: 65 }), { headers })).toMatchObject({
      status: 422,
      body: { error: { field: 'Idempotency-Key' } },
    });
    expect((await client.get('/v1/files')).body.pagination.total).toBe(1);
  });
});

describe('the room of a workspace', () => {
  const leave = (files: number, bytes: number) =>
    sql(gala.databaseUrl, 'UPDATE file_counts SET files = $1, bytes = $2', [2000 - files, 1024 ** 3 - bytes]);

  test('is never exceeded, also by uploads at the same time', async () => {
    const { bytes } = await uploaded(client);
    await leave(100, 2 * bytes + 10);
    const image = await picture();
    const answers = await Promise.all([1, 2, 3, 4].map(() => upload(client, image)));
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(2);
    expect(answers.find(({ status }) => status === 422)?.body.error).toMatchObject({
      field: 'file',
      message: expect.stringContaining('at most 2000 images and 1024 MiB'),
    });
  });

  test('is limited by number, too, and deleting makes room', async () => {
    const { id } = await uploaded(client);
    await leave(0, 1024 ** 2);
    expect((await upload(client, await picture())).status).toBe(422);
    expect(await client.delete(`/v1/files/${id}`)).toMatchObject({ status: 200, body: { id } });
    await uploaded(client);
    expect(await client.delete(`/v1/files/${id}`)).toMatchObject({ status: 404 });
  });

  test('is the other mode’s no more than another workspace’s', async () => {
    await uploaded(client);
    await leave(0, 0);
    await uploaded(await workspace.client('test'));
  });
});

test('a deleted file leaves nothing behind', async () => {
  const { id } = await uploaded(client);
  const [before] = await stored(id);
  expect(before).toBeDefined();
  await client.delete(`/v1/files/${id}`);
  const [row] = await sql(
    gala.databaseUrl,
    `SELECT (SELECT count(*) FROM files WHERE workspace_id = c.workspace_id) AS files, c.bytes,
       (SELECT count(*) FROM file_contents WHERE workspace_id = c.workspace_id) AS contents
     FROM file_counts c ORDER BY files, bytes LIMIT 1`,
  );
  expect(row).toEqual({ files: '0', contents: '0', bytes: '0' });
});

test('nobody sees an image that nothing shows', async () => {
  const { url } = await uploaded(client);
  const { pathname } = new URL(url);
  const answer = await gala.anonymous.get(pathname);
  expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(answer.headers['cache-control'] ?? '').not.toContain('immutable');
});
