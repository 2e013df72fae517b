import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import { ImageEncoder } from '../application/image-encoder';
import { type EncodedImage, MAX_DECODED_BYTES, MAX_PIXELS, MAX_SIDE } from '../domain/file';
import type { ImageType } from '../domain/image-kind';

/** For pages. A narrower image has a last one of its own width. */
const WIDTHS = [480, 960, 1920];
/** The longer side of the largest rendition, for documents and mails: A4 at 300 dpi has 2480 dots across. */
const FULL_SIDE = 2560;
/** The same for images with transparency, mostly logos: PNG is large. */
const FULL_SIDE_TRANSPARENT = 1280;
/** The largest image takes a tenth of it. */
const TIMEOUT_SECONDS = 30;

const FORMATS: Record<ImageType, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'heif',
};
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`);

type Sharp = typeof import('sharp');

/**
 * Encodes images with sharp, in threads of libuv. Everything is encoded anew: metadata, such as where a photo was taken, and
 * bytes that don't belong to the image are left behind.
 */
@Injectable()
export class SharpEncoder extends ImageEncoder {
  private loading?: Promise<Sharp>;

  async encode(bytes: Uint8Array, type: ImageType): Promise<EncodedImage> {
    const sharp = await (this.loading ??= load());
    // Reads the header alone, of images of any size, to say what is wrong with them.
    const header = await sharp(bytes, { limitInputPixels: false, failOn: 'error' })
      .metadata()
      .catch(() => undefined);
    if (!header || header.format !== FORMATS[type]) throw refusal('is broken: it can’t be read as an image');
    refuseUnfit(header);
    const { autoOrient } = header;
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .toColourspace('srgb')
      .resize({ ...square(FULL_SIDE), fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw refusal('is broken: it can’t be read to its end');
      });
    const { width, height, channels } = info;
    const decoded = () => sharp(data, { raw: { width, height, channels } });
    const hasAlpha = channels === 2 || channels === 4;
    const isOpaque = !hasAlpha || (await decoded().stats()).isOpaque;
    const widths = [...WIDTHS.filter((each) => each < width), Math.min(width, WIDTHS.at(-1)!)];
    const renditions: EncodedImage['renditions'][number][] = [];
    for (const each of [...new Set(widths)]) {
      const resized = decoded().resize({ width: each }).webp({ quality: 80, alphaQuality: 90 });
      renditions.push(await finish(resized, `${each}.webp`, 'image/webp'));
    }
    const full = isOpaque
      ? await finish(
          decoded().removeAlpha().jpeg({ quality: 85, progressive: true }),
          'full.jpg',
          'image/jpeg',
        )
      : await finish(
          decoded()
            .resize({ ...square(FULL_SIDE_TRANSPARENT), fit: 'inside', withoutEnlargement: true })
            .png({ compressionLevel: 9 }),
          'full.png',
          'image/png',
        );
    renditions.push(full);
    return { width: autoOrient.width, height: autoOrient.height, renditions };
  }
}

/** Its native library takes 30 ms to load, which starts and commands don't need. */
async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  // Its other loaders are never reached: this is for mistakes of ours.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  // Images are rarely seen twice, and one thread for each leaves the others to requests.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

function refuseUnfit(header: import('sharp').Metadata): void {
  const { width, height, pages = 1 } = header;
  if (pages > 1) throw refusal(`is animated, with ${pages} frames: send a still image`);
  const pixels = width * height;
  if (width > MAX_SIDE || height > MAX_SIDE || pixels > MAX_PIXELS) {
    throw refusal(
      `is too large with ${width} × ${height} pixels: make it at most ${MAX_PIXELS / 1_000_000} megapixels and ${MAX_SIDE} pixels on each side`,
    );
  }
  const perPixel = bytesPerPixel(header);
  if (pixels * perPixel > MAX_DECODED_BYTES) {
    const most = Math.floor(MAX_DECODED_BYTES / perPixel / 1_000_000);
    throw refusal(
      `takes too much memory to decode: save it with 8 bits a colour and neither interlaced nor progressive, or make it at most ${most} megapixels`,
    );
  }
}

/** Of memory while it is decoded, at most: progressive images are held as coefficients of 2 bytes, and others as pixels. */
function bytesPerPixel({
  channels,
  depth,
  isProgressive,
  chromaSubsampling,
  format,
}: import('sharp').Metadata): number {
  const isDeep = depth !== 'uchar';
  if (format !== 'jpeg' || !isProgressive) return channels * (isDeep ? 2 : 1);
  const colours = channels === 1 ? 1 : chromaSubsampling?.startsWith('4:2:0') ? 1.5 : channels;
  return 2 * colours;
}

async function finish(
  image: import('sharp').Sharp,
  name: string,
  type: string,
): Promise<EncodedImage['renditions'][number]> {
  const { data, info } = await image
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer({ resolveWithObject: true });
  return { name, type, width: info.width, height: info.height, bytes: data.length, content: data };
}

function square(side: number) {
  return { width: side, height: side };
}

function refusal(message: string): ValidationFailed {
  return new ValidationFailed({ field: 'file', message });
}
