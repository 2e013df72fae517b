import { createHash } from 'node:crypto';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { FileBodies } from '../../../platform/http/file-bodies';
import { fileNameOf } from '../../../platform/http/file-form';
import { type ReceivedImage, ReceiveImage } from '../application/receive-image';
import { MAX_FILE_BYTES } from '../domain/file';

const images = new WeakMap<Request, ReceivedImage>();

/** Reads and encodes the image before the transaction of its request begins, which then only stores it. */
@Injectable()
export class ImageUpload implements NestInterceptor {
  constructor(
    private readonly bodies: FileBodies,
    private readonly receiveImage: ReceiveImage,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const hash = createHash('sha256');
    const read = async () => {
      const bytes = await this.bodies.readWhole(request, MAX_FILE_BYTES, 'make it smaller');
      hash.update(bytes);
      return bytes;
    };
    const isRepeatable = request.headers['idempotency-key'] !== undefined;
    const options = { name: fileNameOf(request), isRepeatable };
    const image = await this.receiveImage.receive(request.principal!, read, options);
    request.body = { sha256: hash.digest('hex'), name: image.name };
    images.set(request, image);
    return next.handle();
  }
}

/** The image that the request has brought. */
export const UploadedImage = createParamDecorator((_: unknown, context: ExecutionContext): ReceivedImage => {
  const request = context.switchToHttp().getRequest<Request>();
  return images.get(request)!;
});
