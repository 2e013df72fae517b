import { createHash } from 'node:crypto';
import { ValidationFailed } from './errors';

/**
 * The strong entity tag of an object (RFC 9110 section 8.8.3): its revision, or the hash of an object without one.
 */
export function entityTag(view: object): string {
  const { revision } = view as { revision?: number };
  if (revision !== undefined) return `"${revision}"`;
  return `"${createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22)}"`;
}

/**
 * Adds a revision to a view, for its entity tag alone. It isn't serialised: clients compare an object before and after a
 * change, and expect no other field to differ.
 */
export function withRevision<View extends object>(view: View, revision: number): View {
  return Object.defineProperty(view, 'revision', { value: revision });
}

/** The suffix that compressing proxies add to a tag: Apache, Caddy and lighttpd `-gzip`, Jetty `--gzip`. */
const CODING_SUFFIX = /--?(?:br|bzip2|compress|deflate|gzip|zstd)"$/;

/**
 * Whether a client's tag is our own. Proxies that compress responses make tags weak (nginx) or add a suffix, although the
 * tag still stands for the same state of the object.
 */
function isSameTag(sent: string, own: string): boolean {
  const strong = sent.replace(/^W\//, '');
  return strong === own || strong.replace(CODING_SUFFIX, '"') === own;
}

/** The states of an object that a client has seen and agrees to change: `If-Match` (RFC 9110 section 13.1.1). */
export class Precondition {
  /** @param tags as sent by the client; undefined for any state */
  constructor(private readonly tags: readonly string[] | undefined) {}

  /**
   * Call it while the object is locked, with its view.
   *
   * @throws ValidationFailed if the client hasn't seen this state
   */
  check(view: object): void {
    const current = entityTag(view);
    if (!this.tags || this.tags.some((tag) => isSameTag(tag, current))) return;
    throw new ValidationFailed({
      field: 'If-Match',
      message: `is stale: the object was changed since, its ETag is ${current} now. Get it again, and decide anew`,
    });
  }
}
