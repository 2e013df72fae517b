import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimited } from '../../kernel/errors';
import { Metrics } from '../health/metrics';
import { ownerOf } from './request-owner';

const MIB = 1024 * 1024;
/** Of answers that clients haven't taken yet, in this process. */
const MAX_BYTES = 64 * MIB;
/** Of one credential, or address: whoever has more unread reads it before asking for more. */
const SHARE_BYTES = 16 * MIB;
/** A client that takes less than this, on average, loses its connection. */
const LEAST_BYTES_PER_MS = 16;
const GRACE_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

interface Unread {
  readonly tenant: string;
  readonly caller: string;
  readonly bytes: number;
  readonly request: Request;
  timer?: NodeJS.Timeout;
}

/**
 * The answers that are written and not yet taken: each waits in this process's memory until its client has read it. When
 * they fill their room, whoever has the most unread loses the connection whose answer has waited longest.
 */
@Injectable()
export class AnswersUnderWay {
  /** In the order of time. */
  private readonly unread = new Set<Unread>();
  private readonly bytesOf = new Map<string, number>();
  private bytes = 0;
  private readonly broken;

  constructor(metrics: Metrics) {
    this.broken = metrics.counter({
      name: 'gala_answers_broken_off_total',
      help: 'Connections broken because their client was too slow to read an answer.',
    });
    const unreadBytes = () => this.bytes;
    metrics.gauge({
      name: 'gala_answers_unread_bytes',
      help: 'Bytes of answers that clients have not read yet.',
      collect() {
        this.set(unreadBytes());
      },
    });
  }

  /** @throws RateLimited if the request's owner has more than its share unread */
  refuseIfUnread(caller: string): void {
    if ((this.bytesOf.get(caller) ?? 0) > SHARE_BYTES) throw new RateLimited(RETRY_AFTER_SECONDS);
  }

  /**
   * Counts an answer that was handed over whole, or the part of one that was written last, unless the operating system has
   * taken it all already.
   *
   * @param taken the event of the response when its client has taken it
   */
  follow(response: Response, taken: 'finish' | 'drain' = 'finish'): void {
    const bytes = response.writableLength;
    const { req: request } = response;
    if (bytes === 0 || request.socket.destroyed) return;
    const answer: Unread = { ...ownerOf(request), bytes, request };
    this.add(answer, 1);
    this.unread.add(answer);
    answer.timer = setTimeout(() => this.breakOff(answer), GRACE_MS + bytes / LEAST_BYTES_PER_MS).unref();
    const forget = () => {
      response.off(taken, forget).off('close', forget);
      this.forget(answer);
    };
    response.on(taken, forget).on('close', forget);
    while (this.bytes > MAX_BYTES) this.breakOff(this.slowest());
  }

  private slowest(): Unread {
    const [first] = this.unread;
    let slowest = first!;
    for (const answer of this.unread) {
      if (this.bytesOf.get(answer.tenant)! > this.bytesOf.get(slowest.tenant)!) slowest = answer;
    }
    return slowest;
  }

  private breakOff(answer: Unread): void {
    this.broken.inc();
    this.forget(answer);
    answer.request.socket.destroy();
  }

  private forget(answer: Unread): void {
    if (!this.unread.delete(answer)) return;
    clearTimeout(answer.timer);
    this.add(answer, -1);
  }

  private add({ tenant, caller, bytes }: Unread, sign: 1 | -1): void {
    this.bytes += sign * bytes;
    for (const owner of new Set([tenant, caller])) {
      const sum = (this.bytesOf.get(owner) ?? 0) + sign * bytes;
      if (sum === 0) this.bytesOf.delete(owner);
      else this.bytesOf.set(owner, sum);
    }
  }
}
