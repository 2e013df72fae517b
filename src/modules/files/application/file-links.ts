import { Injectable } from '@nestjs/common';
import type { FileId } from '../../../kernel/ids';
import type { FileView, PageFile, Rendition, StoredFile } from '../domain/file';

/** A port: public addresses. */
export abstract class FileLinks {
  /** The path on the server, with the prefix under which a proxy serves it. */
  abstract pathOf(token: string, rendition: string): `/${string}`;
  abstract urlOf(token: string, rendition: string): string;
}

/** An image as pages, mails and documents refer to it. */
export interface ShownImage {
  readonly width: number;
  readonly height: number;
  /** Narrowest first. */
  readonly sources: readonly (Pick<Rendition, 'type' | 'width' | 'height'> & {
    readonly path: `/${string}`;
  })[];
}

/** Where a rendition of an image is found. */
export type ImagePath = (image: FileId, rendition: string) => `/${string}`;

@Injectable()
export class FileViews {
  constructor(private readonly links: FileLinks) {}

  of(file: StoredFile): FileView {
    const { id, name, type, width, height, bytes, createdAt } = file;
    const url = this.links.urlOf(file.publicToken, fullSizeOf(file).name);
    return { id, name, type, width, height, bytes, url, createdAt };
  }

  /** Renditions are narrower than a tall image: it is fitted into a square before. */
  forPages(file: StoredFile): PageFile {
    const [narrowest] = webpOf(file).toSorted((one, other) => one.width - other.width);
    return { ...this.of(file), thumbnail: narrowest!.name };
  }

  /** At its public addresses, unless others are given. */
  shown(file: StoredFile, pathOf?: ImagePath): ShownImage {
    const { id, width, height, publicToken } = file;
    const sources = webpOf(file).map((rendition) => ({
      type: rendition.type,
      width: rendition.width,
      height: rendition.height,
      path: pathOf?.(id, rendition.name) ?? this.links.pathOf(publicToken, rendition.name),
    }));
    return { width, height, sources };
  }
}

function webpOf({ renditions }: Pick<StoredFile, 'renditions'>): Rendition[] {
  return renditions.filter(({ type }) => type === 'image/webp');
}

/** The one for programs that don't know WebP, such as mail programs. */
export function fullSizeOf({ renditions }: Pick<StoredFile, 'renditions'>): Rendition {
  return renditions.find(({ type }) => type !== 'image/webp')!;
}
