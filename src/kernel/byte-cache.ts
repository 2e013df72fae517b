/** Keeps the most recently used values, up to a number of bytes in all. */
export class ByteCache<Value extends { readonly bytes: number }> {
  /** Least recently used first. */
  private readonly values = new Map<string, Value>();
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): Value | undefined {
    const value = this.values.get(key);
    if (!value) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  /** Replaces the value of that key. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.values.set(key, value);
    this.total += value.bytes;
    for (const oldest of this.values.keys()) {
      if (this.total <= this.maxBytes) return;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    this.total -= this.values.get(key)?.bytes ?? 0;
    this.values.delete(key);
  }
}
