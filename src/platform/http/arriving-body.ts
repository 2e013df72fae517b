/** Bytes a second. A phone with a poor connection sends more than twice as many. */
const LEAST_PACE = 2 * 1024;
/** Connections fail for a moment at times. */
const GRACE_SECONDS = 10;
/** For a whole body. */
const LAST_SECONDS = 60;
/** What a body counts as until it was measured. */
const FIRST_PACE = 64 * 1024;

/** Whose body it is: of a client, which has a share of the memory, and of one of the callers who divide it. */
export interface BodySender {
  readonly client: string;
  readonly caller: string;
}

/** The body of one request while it is read, in one piece of memory: a thousand tiny chunks take no more than a large one. */
export class ArrivingBody {
  /** The whole body; rejected when it is refused. */
  readonly bytes: Promise<Buffer>;
  /** Bytes of the budget that it takes up. */
  reserved = 0;
  received = 0;
  /** Bytes a second, those of the last seconds above all. */
  pace = FIRST_PACE;
  isOver = false;
  private memory?: Buffer;
  /** `memory` is the first chunk itself, and has no room for another. */
  private isChunk = true;
  private measured = 0;
  private readonly startedAt = performance.now();
  private resolve!: (bytes: Buffer) => void;
  private reject!: (error: Error) => void;

  constructor(
    readonly sender: BodySender,
    /** 0 when the request doesn't say. */
    private readonly announced: number,
    private readonly max: number,
  ) {
    this.bytes = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** The bytes that have to be reserved before the chunk can be appended. */
  growthFor(chunk: Buffer): number {
    return Math.max(0, this.sizeWith(chunk) - this.reserved);
  }

  append(chunk: Buffer): void {
    if (!this.memory) {
      this.memory = chunk;
    } else {
      if (this.isChunk || this.received + chunk.length > this.memory.length) this.grow(this.sizeWith(chunk));
      this.memory.set(chunk, this.received);
    }
    this.received += chunk.length;
  }

  complete(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.resolve(this.memory?.subarray(0, this.received) ?? Buffer.alloc(0));
    this.memory = undefined;
  }

  fail(error: Error): void {
    this.isOver = true;
    this.memory = undefined;
    this.reject(error);
  }

  /** To be called once a second. */
  measure(): void {
    this.pace = (this.pace + this.received - this.measured) / 2;
    this.measured = this.received;
  }

  get isTooSlow(): boolean {
    const seconds = (performance.now() - this.startedAt) / 1000;
    return seconds > LAST_SECONDS || this.received < (seconds - GRACE_SECONDS) * LEAST_PACE;
  }

  /** As much as is announced; twice what there is where nothing is, so that few chunks are copied more than once. */
  private sizeWith(chunk: Buffer): number {
    const needed = this.received + chunk.length;
    if (this.announced) return this.announced;
    if (!this.memory) return needed;
    return needed <= this.reserved ? this.reserved : Math.min(2 * needed, this.max);
  }

  private grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(size);
    larger.set(this.memory!);
    this.memory = larger;
    this.isChunk = false;
  }
}
