import { createHash } from 'node:crypto';
import { ValidationFailed } from './errors';

/**
 * The tag of one state of an object, strong in the sense of RFC 9110 section 8.8.3. What says when it was last changed,
 * later each time, is told apart by that; anything else by what it holds.
 */
export function entityTag(view: object): string {
  const { updatedAt } = view as { updatedAt?: Date | string };
  if (updatedAt) return `"${new Date(updatedAt).getTime().toString(36)}"`;
  return `"${createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22)}"`;
}

/** The states of an object that its caller is ready to change: those that it has seen (RFC 9110 section 13.1.1). */
export class Precondition {
  /** Tags as they were given out; undefined for whatever state there is. */
  constructor(private readonly tags: readonly string[] | undefined) {}

  /** To be asked of the object's view once nobody else can change it. */
  check(view: object): void {
    if (!this.tags || this.tags.includes(entityTag(view))) return;
    throw new ValidationFailed({
      field: 'If-Match',
      message: `is stale: the object was changed since, its ETag is ${entityTag(view)} now. Get it again, and decide anew`,
    });
  }
}
