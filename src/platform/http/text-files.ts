import { once } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimited } from '../../kernel/errors';
import { ownerOf } from './request-owner';

const RETRY_AFTER_SECONDS = 5;

/**
 * Sends CSV files part by part, as fast as their clients read them. Each client downloads one at a time from a process.
 */
@Injectable()
export class TextFiles {
  private readonly underWay = new Set<string>();

  /** Resolves when all is handed over. Rejects before anything is sent; later, it cuts the connection. */
  async sendCsv(response: Response, name: string, parts: AsyncIterable<string>): Promise<void> {
    const { caller } = ownerOf(response.req);
    if (this.underWay.has(caller)) throw new RateLimited(RETRY_AFTER_SECONDS);
    this.underWay.add(caller);
    try {
      await this.write(response, name, parts);
    } finally {
      this.underWay.delete(caller);
    }
  }

  private async write(response: Response, name: string, parts: AsyncIterable<string>): Promise<void> {
    response.set({
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    try {
      for await (const part of parts) {
        if (response.destroyed) return;
        if (response.write(part)) continue;
        // Others are not kept waiting by a client that reads slowly.
        response.leaveTurn?.();
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      response.end();
    } catch (error) {
      if (!response.headersSent) throw error;
      // What was sent so far must not look whole.
      response.destroy(error as Error);
    }
  }
}
