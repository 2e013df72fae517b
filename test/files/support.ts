import sharp, { type Sharp } from 'sharp';
import type { Answer, Client } from '../support/http-client';

export interface Picture {
  width?: number;
  height?: number;
  format?: 'jpeg' | 'png' | 'webp' | 'avif';
  alpha?: boolean;
}

type Colour = readonly [red: number, green: number, blue: number];

/** A gradient between two colours. */
export function gradient(width: number, height: number, from: Colour, to: Colour): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = (x / width + y / height) / 2;
      for (let band = 0; band < 3; band++) pixels[at++] = from[band]! + (to[band]! - from[band]!) * share;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export function picture({ width = 64, height = 48, format = 'png', alpha = false }: Picture = {}) {
  const background = alpha ? { r: 90, g: 60, b: 160, alpha: 0.5 } : '#5a3ca0';
  return sharp({ create: { width, height, channels: alpha ? 4 : 3, background } })
    .toFormat(format)
    .toBuffer();
}

export function upload(
  client: Client,
  bytes: Buffer,
  { type = 'image/png', headers = {} }: { type?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return client.post('/v1/files', bytes, { headers: { 'Content-Type': type, ...headers } });
}

export async function uploaded(client: Client, image: Picture | Buffer = {}): Promise<any> {
  const bytes = Buffer.isBuffer(image) ? image : await picture(image);
  const answer = await upload(client, bytes);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
  return answer.body;
}

/** A form with one file, as browsers send it. */
export function multipart(bytes: Buffer, filename: string, fields: Record<string, string> = {}) {
  const boundary = 'boundary-of-a-test';
  const before = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(before.join('') + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
