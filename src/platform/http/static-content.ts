import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Less than this fits into one packet as it is. */
const LEAST_COMPRESSED = 1024;

/** In the order in which the server prefers them. */
const CODINGS = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
} as const;
type Coding = keyof typeof CODINGS;

/**
 * A file that is the same for everyone. It is compressed once for each coding, however many ask for it, so that a request costs
 * no compression. Not for content with secrets or with anything from a request: its length would tell of the secrets (BREACH).
 */
export class StaticContent {
  private readonly content: Buffer;
  private readonly hash: string;
  private readonly compressed = new Map<Coding, Promise<Buffer>>();

  constructor(content: string | Buffer) {
    this.content = Buffer.from(content);
    this.hash = createHash('sha256').update(this.content).digest('base64url').slice(0, 22);
  }

  /**
   * Answers with the best coding that the client accepts (RFC 9110 section 12.5.3), or with a 304. The other headers are the
   * caller's.
   */
  async send(request: Request, response: Response): Promise<void> {
    const coding = this.codingFor(request);
    // Each coding is a representation of its own, with a tag of its own (RFC 9110 section 8.8.3.3).
    response.vary('Accept-Encoding').set('ETag', `"${[this.hash, coding].filter(Boolean).join('-')}"`);
    const content = coding ? await this.compressedAs(coding) : this.content;
    if (coding && !request.fresh) response.set('Content-Encoding', coding);
    response.send(content);
  }

  private codingFor(request: Request): Coding | undefined {
    if (this.content.length < LEAST_COMPRESSED) return undefined;
    return (Object.keys(CODINGS) as Coding[]).find((coding) => request.acceptsEncodings(coding));
  }

  private compressedAs(coding: Coding): Promise<Buffer> {
    let compressed = this.compressed.get(coding);
    if (!compressed) {
      compressed = CODINGS[coding](this.content);
      this.compressed.set(coding, compressed);
    }
    return compressed;
  }
}
