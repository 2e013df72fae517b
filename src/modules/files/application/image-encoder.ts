import type { EncodedImage } from '../domain/file';
import type { ImageType } from '../domain/image-kind';

/** A port: makes the sizes of an image, without anything else that its file contains. */
export abstract class ImageEncoder {
  /** @throws ValidationFailed for an image that is too large, broken or animated; `field` is `file` */
  abstract encode(bytes: Uint8Array, type: ImageType): Promise<EncodedImage>;
}
