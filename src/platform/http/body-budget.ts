import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { BadRequest, Overloaded, type PublicError, RateLimited } from '../../kernel/errors';
import { Configuration } from '../config/configuration';
import { Metrics } from '../health/metrics';
import { ArrivingBody, type BodySender } from './arriving-body';
import { ClientShare } from './client-share';
import { inPortions, PORTION_BYTES } from './portions';
import { ownerOf } from './request-owner';

export const MAX_BODY_BYTES = 256 * 1024;
/** Of all the memory for bodies, what one client may take up. */
const SHARE = 1 / 8;
const SWEEP_MS = 1000;

/**
 * Owns the memory of request bodies, from the first byte until the request is answered. Each client has a share of it:
 * a workspace and mode where the credential says which, otherwise an address. Credentials of a workspace divide its share.
 * When all of the memory is taken, the body that arrives slowest gives way, so that slow senders can't keep others out.
 */
@Injectable()
export class BodyBudget implements OnModuleInit, OnApplicationShutdown {
  private readonly total: number;
  private readonly share: number;
  private readonly refused;
  private readonly arriving = new Set<ArrivingBody>();
  private readonly shares = new Map<string, ClientShare>();
  private held = 0;
  private sweeping?: NodeJS.Timeout;

  constructor({ bodyMemory }: Configuration, metrics: Metrics) {
    this.total = bodyMemory;
    this.share = bodyMemory * SHARE;
    this.refused = metrics.counter({
      name: 'gala_request_bodies_refused_total',
      help: 'Bodies that were not read to their end: over their client’s share, too slow, or no memory left.',
      labelNames: ['reason'],
    });
    const held = () => this.held;
    metrics.gauge({
      name: 'gala_request_body_bytes',
      help: 'Memory taken by bodies of requests that are not answered yet.',
      collect() {
        this.set(held());
      },
    });
  }

  onModuleInit(): void {
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweeping);
  }

  /**
   * The bytes of a request's body, which count until it is answered.
   *
   * @param max in bytes
   * @throws BadRequest when the body is too large, too slow or broken off; RateLimited when the client's share is used up;
   *   Overloaded when no memory is left
   */
  async read(request: Request, max = MAX_BODY_BYTES): Promise<Buffer> {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > max) throw tooLarge(max);
    // Its client went away while it was looked up, and 'close' won't be emitted again.
    if (request.destroyed) throw endedEarly();
    const body = new ArrivingBody(senderOf(request), announced, max);
    this.reserve(body, announced);
    this.arriving.add(body);
    const release = () => this.release(body);
    request.res!.once('prefinish', release).once('close', release);
    if (!(announced && announced <= PORTION_BYTES)) request.on('data', inPortions(request));
    request.on('data', (chunk: Buffer) => {
      // The rest is let flow past unread: a client that is still sending can then read the answer.
      if (body.isOver) return;
      try {
        if (body.received + chunk.length > max) throw tooLarge(max);
        const growth = body.growthFor(chunk);
        if (growth) this.reserve(body, growth);
        body.append(chunk);
      } catch (error) {
        this.refuse(body, error as PublicError);
      }
    });
    request.on('end', () => {
      this.arriving.delete(body);
      body.complete();
    });
    request.on('close', () => {
      if (!body.isOver) this.refuse(body, endedEarly());
    });
    request.on('error', () => undefined); // 'close' follows
    return body.bytes;
  }

  private reserve(body: ArrivingBody, bytes: number): void {
    const { client, caller } = body.sender;
    const share = this.shareOf(client);
    while (!share.hasRoom(caller, bytes, performance.now())) {
      this.refused.inc({ reason: 'share' });
      const most = share.heldOf(caller) + bytes;
      const other = this.slowest(
        ({ sender }) => sender.client === client && share.heldOf(sender.caller) > most,
      );
      if (!other) throw overShare();
      this.refuse(other, overShare());
    }
    while (this.held + bytes > this.total) {
      const slowest = this.slowest();
      this.refused.inc({ reason: 'full' });
      if (!slowest || slowest === body) throw new Overloaded();
      this.refuse(slowest, new Overloaded());
    }
    share.take(caller, bytes);
    this.held += bytes;
    body.reserved += bytes;
  }

  private shareOf(client: string): ClientShare {
    let share = this.shares.get(client);
    if (!share) this.shares.set(client, (share = new ClientShare(this.share)));
    return share;
  }

  private release(body: ArrivingBody): void {
    const { client, caller } = body.sender;
    this.shareOf(client).take(caller, -body.reserved);
    this.held -= body.reserved;
    body.reserved = 0;
    this.arriving.delete(body);
  }

  private refuse(body: ArrivingBody, error: PublicError): void {
    if (body.isOver) return;
    this.release(body);
    body.fail(error);
  }

  /** Once a second: how fast each body arrives, and whether that is fast enough. */
  private sweep(): void {
    const now = performance.now();
    for (const [client, share] of this.shares) if (share.isForgettable(now)) this.shares.delete(client);
    for (const body of this.arriving) {
      body.measure();
      if (!body.isTooSlow) continue;
      this.refused.inc({ reason: 'slow' });
      this.refuse(body, new BadRequest('The body arrived too slowly: send at least 2 KiB a second.'));
    }
  }

  private slowest(isMeant: (body: ArrivingBody) => boolean = () => true): ArrivingBody | undefined {
    let slowest: ArrivingBody | undefined;
    for (const body of this.arriving) {
      if (!isMeant(body)) continue;
      if (!slowest || body.pace < slowest.pace) slowest = body;
    }
    return slowest;
  }
}

function endedEarly(): BadRequest {
  return new BadRequest('The body ended before it was complete.');
}

function overShare(): RateLimited {
  return new RateLimited(1, 'Too many large requests at once. Send fewer at a time, and try again in 1 s.');
}

function senderOf(request: Request): BodySender {
  const { tenant, caller } = ownerOf(request);
  const { principal } = request;
  return { client: principal ? `${tenant} ${principal.mode}` : tenant, caller };
}

function tooLarge(max: number): BadRequest {
  return new BadRequest(`The body is larger than ${max / 1024} KiB.`);
}
