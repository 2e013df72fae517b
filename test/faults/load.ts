import { setTimeout as sleep } from 'node:timers/promises';
import { expectRefusal } from '../support/expect-refusal';
import { type Answer, Client } from '../support/http-client';
import { sql } from '../support/sql';

export interface Attempt {
  /** Unique to this attempt. */
  email: string;
  /** Undefined when the connection broke before an answer was there. */
  answer?: Answer;
  /** Why it broke: ECONNREFUSED, ECONNRESET, … */
  failure?: string;
  startedAt: number;
  endedAt: number;
}

let sequence = 0;
const loads: Load[] = [];

/** A test that failed must not go on asking a service that is gone. */
export async function stopLoads(): Promise<void> {
  for (const load of loads.splice(0)) await load.stop();
}

/** Clients that make leads one after the other, and remember what they were told of each. */
export class Load {
  readonly attempts: Attempt[] = [];
  private readonly wrongAnswers: unknown[] = [];
  private isStopping = false;
  private readonly running: Promise<unknown>;

  constructor(baseUrls: string[], key: string | string[], { clients = 20, pauseMs = 5 } = {}) {
    loads.push(this);
    const keys = [key].flat();
    this.running = Promise.all(
      Array.from({ length: clients }, (_, index) =>
        this.work(new Client(baseUrls[index % baseUrls.length]!, keys[index % keys.length]), pauseMs),
      ),
    );
  }

  get confirmed(): Attempt[] {
    return this.attempts.filter(({ answer }) => answer?.status === 201);
  }

  get broken(): Attempt[] {
    return this.attempts.filter(({ failure }) => failure !== undefined);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  tally(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { answer, failure } of this.attempts) {
      const outcome = failure ?? String(answer!.status);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  }

  slowestMs(): number {
    return Math.max(...this.attempts.map(({ startedAt, endedAt }) => endedAt - startedAt));
  }

  /** Nothing was confirmed that isn't there once, and whatever else was answered is a server error in the envelope. */
  async expectHonest(databaseUrl: string): Promise<void> {
    expect(this.wrongAnswers).toEqual([]);
    const stored = await this.stored(databaseUrl);
    expect(this.confirmed.filter(({ email }) => stored.get(email) !== 1)).toEqual([]);
    expect([...stored.values()].filter((count) => count > 1)).toEqual([]);
  }

  /** How often each of these leads is there. */
  async stored(databaseUrl: string): Promise<Map<string, number>> {
    const rows = await sql<{ email: string; count: number }>(
      databaseUrl,
      'SELECT email, count(*)::int AS count FROM leads WHERE email = ANY($1) GROUP BY email',
      [this.attempts.map(({ email }) => email)],
    );
    return new Map(rows.map(({ email, count }) => [email, count]));
  }

  private async work(client: Client, pauseMs: number): Promise<void> {
    while (!this.isStopping) {
      const email = `load-${++sequence}@example.com`;
      const startedAt = Date.now();
      const outcome = await client.post('/v1/leads', { email }).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ failure: String((error as NodeJS.ErrnoException).code ?? error) }),
      );
      this.attempts.push({ email, ...outcome, startedAt, endedAt: Date.now() });
      if ('answer' in outcome && outcome.answer.status !== 201) this.checkRefusal(outcome.answer);
      await sleep('failure' in outcome ? 50 : pauseMs);
    }
  }
  /** As it comes: its rate headers are about that moment. */
  private checkRefusal(answer: Answer): void {
    try {
      expectRefusal(answer, 500);
    } catch (error) {
      this.wrongAnswers.push(error);
    }
  }
}
