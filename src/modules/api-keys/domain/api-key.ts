import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import { Forbidden, ValidationFailed } from '../../../kernel/errors';
import { type ApiKeyId, newId, type UserId, type WorkspaceId } from '../../../kernel/ids';
import { hashSecretToken } from '../../../kernel/secret-token';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { newToken } from './api-key-token';

export const MAX_GRACE_SECONDS = 604_800;
export const DEFAULT_GRACE_SECONDS = 86_400;

/** An API key as the API shows it. The secret itself is shown once, on creation. */
export interface ApiKeyView {
  id: ApiKeyId;
  name: string;
  scopes: readonly string[];
  mode: Mode;
  last4: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdBy: ApiKeyId | UserId | null;
}

export interface NewApiKey {
  name: string;
  scopes: readonly string[];
  expiresAt: Date | null;
}

/** A key and its secret, which is stored as a hash only. */
export interface IssuedApiKey {
  key: ApiKey;
  token: string;
}

export class ApiKey {
  readonly workspaceId!: WorkspaceId;
  readonly mode!: Mode;
  readonly id!: ApiKeyId;
  readonly name!: string;
  readonly scopes!: readonly string[];
  readonly hash!: Buffer;
  readonly last4!: string;
  /** The key that this one descends from, which may manage it. */
  parentId!: ApiKeyId | null;
  /** The first of the keys that rotations replaced one by another up to this one; null for none. */
  readonly firstId!: ApiKeyId | null;
  readonly createdBy!: ApiKeyId | UserId | null;
  readonly createdAt!: Date;
  readonly expiresAt!: Date | null;
  /** Set by a rotation: the key ends at this time, or at `expiresAt` if that is earlier. */
  graceEndsAt!: Date | null;
  readonly lastUsedAt!: Date | null;
  revokedAt!: Date | null;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  /** A key without a parent, created by a person or the operator. */
  static issue(ref: WorkspaceRef, input: NewApiKey, createdBy: UserId | null, now: Date): IssuedApiKey {
    return ApiKey.make(ref, input, { parentId: null, firstId: null }, createdBy, now);
  }

  /** A key created by this one. Its scopes, lifetime and mode don't exceed those of its creator. */
  issueChild(input: NewApiKey, now: Date): IssuedApiKey {
    const missing = input.scopes.find((scope) => !this.scopes.includes(scope));
    if (missing)
      throw new Forbidden(`A key can't make one with the scope ${missing}, which it lacks itself.`, missing);
    const end = this.endsAt;
    if (end && input.expiresAt && input.expiresAt > end) {
      throw new Forbidden(`A key can't make one that outlives it: it ends at ${end.toISOString()}.`);
    }
    const lineage = { parentId: this.id, firstId: null };
    return ApiKey.make(this, { ...input, expiresAt: input.expiresAt ?? end }, lineage, this.id, now);
  }

  /** A successor lives as long as the key that it replaces, so a key can't rotate one that outlives itself. */
  refuseToRotate(other: ApiKey): void {
    const end = this.endsAt;
    if (!end || (other.endsAt && other.endsAt <= end)) return;
    throw new Forbidden(
      `The calling key ends at ${end.toISOString()} and can't rotate a key that outlives it. Rotate it with a key that works as long, or in the settings.`,
    );
  }

  /**
   * A successor with the same name, scopes and expiry takes this key's place in the lineage. This key becomes its descendant
   * and ends after the grace period. Without a grace period it is revoked, so that no clock decides.
   */
  rotate(graceSeconds: number, rotatedBy: ApiKeyId | UserId | null, now: Date): IssuedApiKey {
    this.refuseRotation(now);
    const lineage = { parentId: this.parentId, firstId: this.firstId ?? this.id };
    const successor = ApiKey.make(this, this, lineage, rotatedBy, now);
    this.parentId = successor.key.id;
    if (graceSeconds === 0) this.revokedAt = now;
    else this.graceEndsAt = new Date(now.getTime() + graceSeconds * 1000);
    return successor;
  }

  /** Returns false if the key was already revoked. */
  revoke(now: Date): boolean {
    if (this.revokedAt) return false;
    this.revokedAt = now;
    return true;
  }

  /** When the key expires: at its own date or the end of its grace period. Null for never. */
  get endsAt(): Date | null {
    if (!this.expiresAt || !this.graceEndsAt) return this.expiresAt ?? this.graceEndsAt;
    return this.graceEndsAt < this.expiresAt ? this.graceEndsAt : this.expiresAt;
  }

  hasEnded(now: Date): boolean {
    return this.revokedAt !== null || (this.endsAt !== null && this.endsAt <= now);
  }

  view(): ApiKeyView {
    const { id, name, scopes, mode, last4, createdAt, lastUsedAt, revokedAt, createdBy } = this;
    return {
      id,
      name,
      scopes,
      mode,
      last4,
      createdAt,
      expiresAt: this.endsAt,
      lastUsedAt,
      revokedAt,
      createdBy,
    };
  }

  event(type: 'api_key.created' | 'api_key.revoked', now: Date): DomainEvent {
    const workspace = { workspaceId: this.workspaceId, mode: this.mode };
    const previous = type === 'api_key.revoked' ? { revokedAt: null } : undefined;
    return domainEvent({ type, workspace, timestamp: now, data: this.view(), previous });
  }

  /** A key is rotated once: a successor of a key in its grace period would outlive that period. */
  private refuseRotation(now: Date): void {
    const refuse = (field: string, what: string) => {
      throw new ValidationFailed({ field, message: `${what} can’t be rotated; create a new one` });
    };
    if (this.revokedAt) refuse('revokedAt', 'a revoked key');
    if (this.hasEnded(now)) refuse('expiresAt', 'an expired key');
    if (this.graceEndsAt) refuse('expiresAt', 'a key that was rotated already');
  }

  private static make(
    { workspaceId, mode }: WorkspaceRef,
    { name, scopes, expiresAt }: NewApiKey,
    { parentId, firstId }: Pick<ApiKey, 'parentId' | 'firstId'>,
    createdBy: ApiKeyId | UserId | null,
    now: Date,
  ): IssuedApiKey {
    if (expiresAt && expiresAt <= now) {
      throw new ValidationFailed({ field: 'expiresAt', message: 'must lie in the future' });
    }
    const token = newToken(mode);
    const key = new ApiKey({
      workspaceId,
      mode,
      id: newId('key'),
      name,
      scopes: [...new Set(scopes)],
      hash: hashSecretToken(token),
      last4: token.slice(-4),
      parentId,
      firstId,
      createdBy,
      createdAt: now,
      expiresAt,
      graceEndsAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    return { key, token };
  }
}
