/** How long a client counts as having several callers, after two have taken turns. */
const AROUND_MS = 10_000;

/** The bytes that one client may take up, and how much its callers take. */
export class ClientShare {
  held = 0;
  private readonly heldBy = new Map<string, number>();
  private lastCaller?: string;
  private severalUntil = 0;

  constructor(private readonly bytes: number) {}

  /**
   * Whether a caller may take up that many more bytes. A lone caller may have the whole share. Of several, each leaves as
   * much free as it takes, so that there is always room for another.
   *
   * @param now in milliseconds
   */
  hasRoom(caller: string, more: number, now: number): boolean {
    if (this.lastCaller !== undefined && this.lastCaller !== caller) this.severalUntil = now + AROUND_MS;
    this.lastCaller = caller;
    const toLeave = now < this.severalUntil ? this.heldOf(caller) + more : 0;
    return this.held + more + toLeave <= this.bytes;
  }

  heldOf(caller: string): number {
    return this.heldBy.get(caller) ?? 0;
  }

  /** @param bytes negative when they are given back */
  take(caller: string, bytes: number): void {
    this.held += bytes;
    const held = this.heldOf(caller) + bytes;
    if (held > 0) this.heldBy.set(caller, held);
    else this.heldBy.delete(caller);
  }

  isForgettable(now: number): boolean {
    return this.held === 0 && now >= this.severalUntil;
  }
}
