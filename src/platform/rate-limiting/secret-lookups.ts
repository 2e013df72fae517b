import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '../../kernel/errors';
import { hashSecretToken } from '../../kernel/secret-token';
import { Configuration } from '../config/configuration';
import { addressOf } from './rate-limits';

const MOST_KNOWN = 10_000;
const WINDOW_SECONDS = 60;

/**
 * Limits how often an address can have secrets looked up that don't exist: guesses at tokens and sessions. A secret that
 * existed the last time isn't counted, so that no guesses of others at its address keep it from working. Each process counts
 * for itself: asking Redis would take longer than what is limited.
 */
@Injectable()
export class SecretLookups {
  /** Hashes of secrets that existed; those used last come last. */
  private readonly known = new Set<string>();
  private readonly firstLookups = new Map<string, Promise<unknown>>();
  private readonly guesses: RateLimiterMemory;

  constructor({ rateLimits, publicRateLimits }: Configuration) {
    const points = Math.max(rateLimits.address, publicRateLimits.pages);
    this.guesses = new RateLimiterMemory({ keyPrefix: '', points, duration: WINDOW_SECONDS });
  }

  /**
   * @param read resolves to undefined if the secret doesn't exist
   * @throws RateLimited without reading, after as many guesses from the address
   */
  async find<Found>(
    request: Request,
    secret: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const key = hashSecretToken(secret).toString('base64');
    // Concurrent requests with a new secret count once.
    await this.firstLookups.get(key);
    if (this.known.has(key)) return this.readKnown(key, read);
    const first = this.readNew(request, key, read);
    const settled: Promise<void> = first
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.firstLookups.get(key) === settled) this.firstLookups.delete(key);
      });
    this.firstLookups.set(key, settled);
    return first;
  }

  private async readKnown<Found>(
    key: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const found = await read();
    this.known.delete(key);
    if (found !== undefined) this.known.add(key);
    return found;
  }

  private async readNew<Found>(
    request: Request,
    key: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const address = addressOf(request);
    await this.count(address);
    let isGuess = false;
    try {
      const found = await read();
      isGuess = found === undefined;
      if (!isGuess) this.remember(key);
      return found;
    } finally {
      if (!isGuess) await this.guesses.reward(address);
    }
  }

  private async count(address: string): Promise<void> {
    try {
      await this.guesses.consume(address);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new RateLimited(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
    }
  }

  private remember(key: string): void {
    this.known.add(key);
    const [oldest] = this.known;
    if (this.known.size > MOST_KNOWN) this.known.delete(oldest!);
  }
}
