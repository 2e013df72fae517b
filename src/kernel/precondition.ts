import { createHash } from 'node:crypto';
import { ValidationFailed } from './errors';

/**
 * The tag of one state of an object, strong in the sense of RFC 9110 section 8.8.3: its revision, or a hash of an object
 * that has none.
 */
export function entityTag(view: object): string {
  const { revision } = view as { revision?: number };
  if (revision !== undefined) return `"${revision}"`;
  return `"${createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22)}"`;
}

/**
 * The view of an object whose revision its tag tells, and nothing else: clients compare what they get with what they had, and
 * expect to find what they changed.
 */
export function withRevision<View extends object>(view: View, revision: number): View {
  return Object.defineProperty(view, 'revision', { value: revision });
}

/** What compressing proxies add to a tag within its quotes: Apache, Caddy and lighttpd `-gzip`, Jetty `--gzip`. */
const CODING_SUFFIX = /--?(?:br|bzip2|compress|deflate|gzip|zstd)"$/;

/**
 * Whether a tag that a client sends is one that we gave out. Proxies that compress answers weaken it (nginx) or add the
 * coding to it, though the state of the object that it stands for is the same.
 */
export function isSameTag(sent: string, own: string): boolean {
  const strong = sent.replace(/^W\//, '');
  return strong === own || strong.replace(CODING_SUFFIX, '"') === own;
}

/** The states of an object that its caller is ready to change: those that it has seen (RFC 9110 section 13.1.1). */
export class Precondition {
  /** Tags as the client sent them; undefined for whatever state there is. */
  constructor(private readonly tags: readonly string[] | undefined) {}

  /** To be asked of the object's view once nobody else can change it. */
  check(view: object): void {
    const current = entityTag(view);
    if (!this.tags || this.tags.some((tag) => isSameTag(tag, current))) return;
    throw new ValidationFailed({
      field: 'If-Match',
      message: `is stale: the object was changed since, its ETag is ${current} now. Get it again, and decide anew`,
    });
  }
}
