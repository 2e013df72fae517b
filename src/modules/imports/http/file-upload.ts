import { createHash, type Hash } from 'node:crypto';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { FileBodies } from '../../../platform/http/file-bodies';
import { MAX_FILE_BYTES, ReceiveFile } from '../application/receive-file';
import { IMPORT } from './import.dto';

const fileIds = new WeakMap<Request, string>();

/**
 * Stores the file before the transaction of its request begins, which then only gives it to the import. A file that
 * the import doesn't take, or that was sent before with the same idempotency key, is dropped again.
 */
@Injectable()
export class FileUpload implements NestInterceptor {
  constructor(
    private readonly bodies: FileBodies,
    private readonly files: ReceiveFile,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request<{ id: string }>>();
    const principal = request.principal!;
    const importId = IMPORT.read(request.params.id);
    // A repeated request gets its first answer, whatever has become of the import since.
    if (request.headers['idempotency-key'] === undefined) await this.files.expect(principal, importId);
    const hash = createHash('sha256');
    const chunks = hashed(this.bodies.read(request, MAX_FILE_BYTES), hash);
    const { id, bytes } = await this.files.receive(principal, chunks);
    request.body = { bytes, sha256: hash.digest('hex') };
    fileIds.set(request, id);
    try {
      return of(await lastValueFrom(next.handle()));
    } finally {
      await this.files.drop(principal, id);
    }
  }
}

/** The file that the request has brought. */
export const UploadedFileId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<Request>();
  return fileIds.get(request)!;
});

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
