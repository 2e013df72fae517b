import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Turns } from '../../../kernel/turns';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import {
  type EncodedImage,
  fileNameFrom,
  type FileView,
  MAX_FILES,
  MAX_STORED_BYTES,
  StoredFile,
} from '../domain/file';
import { type ImageType, imageTypeOf } from '../domain/image-kind';
import { FileViews } from './file-links';
import { FileRepository } from './file-repository';
import { ImageEncoder } from './image-encoder';

/** An image that was received and encoded, and isn't stored yet. */
export interface ReceivedImage extends EncodedImage {
  readonly name: string | null;
  readonly type: ImageType;
}

/** Takes images in two steps: the slow one, which needs no transaction, and the one that stores the result. */
@Injectable()
export class ReceiveImage {
  /** Uploads whose bytes are in memory. */
  private readonly arriving = new Turns({
    ...{ atOnce: 8, atOnceEach: 2, waiting: 32, waitingEach: 4 },
    ...{ retryAfterSeconds: 5, patienceMs: 20_000 },
  });
  /** One at a time, for its memory (`MAX_DECODED_BYTES`) and its thread, one of those that hash passwords, too. */
  private readonly encoding = new Turns({
    ...{ atOnce: 1, waiting: 32, waitingEach: 4 },
    ...{ retryAfterSeconds: 5, patienceMs: 60_000 },
  });

  constructor(
    private readonly files: FileRepository,
    private readonly encoder: ImageEncoder,
    private readonly views: FileViews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param read reads the upload, and refuses what is larger than `MAX_FILE_BYTES`; it is called once there is memory for it
   * @param isRepeatable it may have been stored before, and is then answered as it was, whether or not there is room
   * @throws ValidationFailed for anything but an image that can be shown, and when there is no room for another
   */
  async receive(
    ref: WorkspaceRef,
    read: () => Promise<Buffer>,
    { name, isRepeatable = false }: { name?: string; isRepeatable?: boolean } = {},
  ): Promise<ReceivedImage> {
    if (!isRepeatable && !(await this.files.hasRoom(ref))) throw noRoom();
    const tenant = ref.workspaceId;
    return this.arriving.run(tenant, async () => {
      const bytes = await read();
      if (bytes.length === 0) throw refusal('is required, and not empty');
      const type = imageTypeOf(bytes);
      if (!type) throw refusal('must be a JPEG, PNG, WebP or AVIF image');
      const image = await this.encoding.run(tenant, () => this.encoder.encode(bytes, type));
      return { ...image, name: fileNameFrom(name), type };
    });
  }

  /** @throws ValidationFailed when there is no room for it */
  store(ref: WorkspaceRef, image: ReceivedImage): Promise<FileView> {
    return this.unitOfWork.run(async () => {
      const file = StoredFile.of(ref, image, this.clock.now());
      if (!(await this.files.add(file, image))) throw noRoom();
      return this.views.of(file);
    });
  }
}

function refusal(message: string): ValidationFailed {
  return new ValidationFailed({ field: 'file', message });
}

function noRoom(): ValidationFailed {
  return refusal(
    `can’t be stored: a workspace keeps at most ${MAX_FILES} images and ${MAX_STORED_BYTES / 1024 ** 2} MiB in each mode. Delete images that nothing shows`,
  );
}
