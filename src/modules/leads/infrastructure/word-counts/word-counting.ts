import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../../../platform/jobs/background-jobs';
import { PeriodicWork } from '../../../../platform/jobs/periodic-work';
import { describeError } from '../../../../platform/logging/describe-error';
import { Logger } from '../../../../platform/logging/logger';
import { frequentWords, withinBounds } from './frequent-words';
import { type LeadList, WordCounts } from './word-counts';
import { SHORT, WordTally } from './word-tally';

/** Searches of smaller lists are fast anyhow. */
const LARGE = 20_000;
/** So many leads are found by the index for words fast enough. */
const FREQUENT = 5_000;
const SAMPLE = 2_000;
/** Fewer in a sample tell nothing. */
const FEWEST_IN_SAMPLE = 5;
/** Some seconds. */
const PORTIONS_PER_CLAIM = 50;
const WRITERS_MAY_TAKE_MS = 60_000;
const WRITERS_POLL_MS = 100;
const COUNT_INTERVAL_MS = 60_000;
const ADD_UP_INTERVAL_MS = 10_000;

interface Claim {
  readonly list: LeadList;
  readonly leads: number;
  since: string;
}

/** Counts the words of large lists, and adds to that what changes. Several instances may be at it together. */
@Injectable()
export class WordCounting implements OnModuleInit {
  constructor(
    private readonly counts: WordCounts,
    private readonly jobs: BackgroundJobs,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.jobs.register(new PeriodicWork((signal) => this.countDue(signal), COUNT_INTERVAL_MS, this.failed));
    this.jobs.register(new PeriodicWork((signal) => this.addUp(signal), ADD_UP_INTERVAL_MS, this.failed));
  }

  async countDue(signal?: AbortSignal): Promise<void> {
    for (const { list, leads } of await this.counts.due(LARGE)) {
      if (!signal?.aborted) await this.count(list, leads, signal).catch(this.failed);
    }
  }

  /** Counts all words of a list of about so many leads anew, unless another is at it. */
  async count(list: LeadList, leads: number, signal?: AbortSignal): Promise<void> {
    const since = await this.counts.claim(list);
    if (!since) return;
    const claim = { list, leads, since };
    try {
      const tally = (await this.writersAreThrough(signal)) && (await this.tally(claim, signal));
      if (!tally) return;
      const { hasShortWords } = tally;
      await this.counts.keep(list, claim.since, { leads, words: tally.list(FREQUENT), hasShortWords });
    } finally {
      await this.counts.giveUp(list, claim.since);
    }
  }

  async addUp(signal?: AbortSignal): Promise<void> {
    for (const list of await this.counts.changed()) await this.addUpAll(list, signal).catch(this.failed);
  }

  private readonly failed = (error: unknown) =>
    this.logger.warn(describeError(error), 'words could not be counted');

  private async addUpAll(list: LeadList, signal?: AbortSignal): Promise<void> {
    let hasMore = true;
    while (hasMore && !signal?.aborted) {
      hasMore = await this.counts.addUp(list, async (changes, unlisted) => {
        const tally = new WordTally(unlisted);
        await tally.addAll(changes);
        return { words: tally.list(), hasShortWords: tally.hasShortWords };
      });
    }
  }

  private async writersAreThrough(signal?: AbortSignal): Promise<boolean> {
    const horizon = await this.counts.horizon();
    const latest = Date.now() + WRITERS_MAY_TAKE_MS;
    let areThrough = await this.counts.isThrough(horizon);
    while (!areThrough && Date.now() < latest && !signal?.aborted) {
      await sleep(WRITERS_POLL_MS);
      areThrough = await this.counts.isThrough(horizon);
    }
    return areThrough;
  }

  /** Undefined when it was told to stop, or has lost its claim. It takes half of a core's time at most: nobody waits for it. */
  private async tally(claim: Claim, signal?: AbortSignal): Promise<WordTally | undefined> {
    const { list } = claim;
    const leads = Math.max(1, claim.leads);
    const sample = withinBounds(await this.counts.sample(list, SAMPLE / leads));
    // A sample may hold fewer by chance.
    const texts = Math.max(FEWEST_IN_SAMPLE, (FREQUENT / leads) * sample.length * 0.6);
    const words = await frequentWords(sample, { characters: SHORT + 1, texts });
    const tally = new WordTally(words.map((word) => ({ word, archived: false })));
    let portions = 0;
    for await (const portion of this.counts.texts(list)) {
      const began = performance.now();
      await tally.addAll(portion);
      await sleep(performance.now() - began);
      if (signal?.aborted) return undefined;
      if (++portions % PORTIONS_PER_CLAIM !== 0) continue;
      const since = await this.counts.renew(list, claim.since);
      if (!since) return undefined;
      claim.since = since;
    }
    return tally;
  }
}
