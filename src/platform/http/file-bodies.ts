import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { BadRequest, PublicError, RateLimited } from '../../kernel/errors';
import { fileOf, FORM_BYTES } from './file-form';
import { ownerOf } from './request-owner';

/** What is handed on at once. */
export const FILE_CHUNK_BYTES = 256 * 1024;
/** Uploads at the same time, each with one chunk and what the connection has read ahead: of a tenant, and of all. */
const OF_TENANT = 2;
const OF_ALL = 32;
const RETRY_AFTER_SECONDS = 5;
/** Bytes a second, on average after the first seconds: a phone network has more. */
const LEAST_PACE = 32 * 1024;
const GRACE_SECONDS = 20;

/** Reads bodies that are files, without ever holding more of one than a chunk: the next one is read when the last is stored. */
@Injectable()
export class FileBodies {
  private readonly underWay = new Map<string, number>();
  private count = 0;

  /**
   * The file in chunks of `FILE_CHUNK_BYTES`, the last one smaller.
   *
   * @param max in bytes
   * @param advice what to do with a file that is larger
   * @throws BadRequest when the file is too large, too slow or broken off; RateLimited when too many are under way
   */
  async *read(request: Request, max: number, advice = 'divide it'): AsyncGenerator<Buffer> {
    const file = fileOf(request);
    if (!file && request.destroyed) throw endedEarly();
    // Its own iterator would destroy the connection when it is left early, and the answer with it.
    const source = file ?? request.iterator({ destroyOnReturn: false });
    if (Number(request.headers['content-length'] ?? 0) > max + FORM_BYTES) throw tooLarge(max, advice);
    const { tenant } = ownerOf(request);
    this.begin(tenant);
    try {
      yield* inChunks(source as AsyncIterable<Buffer>, max, advice);
      // A form has an end of its own, without which its file breaks off.
      if (!file && !request.complete) throw endedEarly();
    } catch (error) {
      throw error instanceof PublicError ? error : endedEarly();
    } finally {
      this.end(tenant);
    }
  }

  /** A whole file of at most a few megabytes. Callers bound how many they hold at once. */
  async readWhole(request: Request, max: number, advice: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(request, max, advice)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  private begin(tenant: string): void {
    const own = this.underWay.get(tenant) ?? 0;
    if (own >= OF_TENANT || this.count >= OF_ALL) {
      throw new RateLimited(
        RETRY_AFTER_SECONDS,
        'Too many files are being uploaded. Try again in a few seconds.',
      );
    }
    this.underWay.set(tenant, own + 1);
    this.count++;
  }

  private end(tenant: string): void {
    const left = this.underWay.get(tenant)! - 1;
    if (left > 0) this.underWay.set(tenant, left);
    else this.underWay.delete(tenant);
    this.count--;
  }
}

async function* inChunks(source: AsyncIterable<Buffer>, max: number, advice: string): AsyncGenerator<Buffer> {
  const startedAt = performance.now();
  let storing = 0;
  let received = 0;
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of source) {
    received += part.length;
    if (received > max) throw tooLarge(max, advice);
    const seconds = (performance.now() - startedAt - storing) / 1000 - GRACE_SECONDS;
    if (received < seconds * LEAST_PACE) {
      throw new BadRequest(`The file arrived too slowly: send at least ${LEAST_PACE / 1024} KiB a second.`);
    }
    parts.push(part);
    size += part.length;
    while (size >= FILE_CHUNK_BYTES) {
      const all = Buffer.concat(parts);
      const before = performance.now();
      yield all.subarray(0, FILE_CHUNK_BYTES);
      storing += performance.now() - before;
      parts = [all.subarray(FILE_CHUNK_BYTES)];
      size -= FILE_CHUNK_BYTES;
    }
  }
  if (size > 0) yield Buffer.concat(parts);
}

function endedEarly(): BadRequest {
  return new BadRequest('The file ended before it was complete.');
}

function tooLarge(max: number, advice: string): BadRequest {
  return new BadRequest(`The file is larger than ${max / 1024 ** 2} MiB: ${advice}.`);
}
