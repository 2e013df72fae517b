import { type FileId, newId, type WorkspaceId } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { newSecretToken } from '../../../kernel/secret-token';
import type { ImageType } from './image-kind';

/** Of an upload. */
export const MAX_FILE_BYTES = 8 * 1024 ** 2;
/** Of an image before it is decoded. */
export const MAX_PIXELS = 40_000_000;
/** Of memory while one is decoded: 40 megapixels of three colours, or 16 of four with 16 bits each. */
export const MAX_DECODED_BYTES = 128_000_000;
export const MAX_SIDE = 16_000;
/** Of a workspace and mode. */
export const MAX_FILES = 2000;
export const MAX_STORED_BYTES = 1024 ** 3;
/** In code points. */
export const MAX_NAME = 200;

/** The pattern of a file's public token: 256 bits in base64url. */
export const FILE_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** One of the sizes of an image, made when it is uploaded. */
export interface Rendition {
  /** The last part of its address, such as `960.webp`. */
  name: string;
  type: string;
  width: number;
  height: number;
  bytes: number;
}

/** An image as it comes out of the encoder, with the bytes of each size. */
export interface EncodedImage {
  /** Upright, as uploaded. */
  readonly width: number;
  readonly height: number;
  readonly renditions: readonly (Rendition & { readonly content: Uint8Array })[];
}

/** A file as the API contains it. */
export interface FileView {
  id: FileId;
  name: string | null;
  type: ImageType;
  width: number;
  height: number;
  bytes: number;
  url: string;
  createdAt: Date;
}

/** A file as pages for members show it. */
export interface PageFile extends FileView {
  /** The name of the narrowest rendition. */
  thumbnail: string;
}

/** An uploaded image. It never changes, so whoever refers to one keeps what they saw. */
export class StoredFile {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: FileId;
  /** As the uploader called it. */
  readonly name!: string | null;
  /** Of the upload. */
  readonly type!: ImageType;
  readonly width!: number;
  readonly height!: number;
  /** Of all renditions. */
  readonly bytes!: number;
  readonly renditions!: Rendition[];
  /** Makes its public address unguessable. */
  readonly publicToken!: string;
  readonly createdAt!: Date;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static of(
    { workspaceId, mode }: WorkspaceRef,
    image: EncodedImage & { name: string | null; type: ImageType },
    now: Date,
  ): StoredFile {
    const { name, type, width, height, renditions } = image;
    return new StoredFile({
      ...{ workspaceId, mode, id: newId('file'), name, type, width, height },
      bytes: renditions.reduce((sum, { bytes }) => sum + bytes, 0),
      renditions: renditions.map(({ content: _, ...rendition }) => rendition),
      publicToken: newSecretToken(),
      createdAt: now,
    });
  }
}

const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The name of an upload without folders and invisible characters; null when nothing is left. */
export function fileNameFrom(given: string | undefined): string | null {
  const last = (given ?? '').toWellFormed().split(/[\\/]/).at(-1)!.replace(UNWANTED, '').trim();
  return [...last].slice(0, MAX_NAME).join('') || null;
}
