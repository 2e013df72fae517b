import { Injectable } from '@nestjs/common';
import { type Actor, actorOf, type Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { ApiKeyId, UserId } from '../../../kernel/ids';
import { waitForExpiry } from '../../../kernel/short-lived-cache';
import type { Principal, WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import type { ApiKey, IssuedApiKey } from '../domain/api-key';
import { auditEntry } from './api-key-actions';
import { ApiKeyRepository } from './api-key-repository';
import { callingKeyId, lockCallingKey, refuseEndedCaller } from './create-api-key';

/** Resolves once no instance uses a cached copy of the old key. */
@Injectable()
export class RotateApiKey {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async byKey(caller: Principal, id: ApiKeyId, graceSeconds: number): Promise<IssuedApiKey> {
    const callerId = callingKeyId(caller);
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const callingKey = id === callerId ? undefined : await lockCallingKey(this.keys, caller, now);
      const key = await this.keys.lockBelowParent(caller, id, callerId);
      if (id === callerId) refuseEndedCaller(key, now);
      if (key && !key.hasEnded(now)) callingKey?.refuseToRotate(key);
      return this.rotate(key, graceSeconds, actorOf(caller), callerId, now);
    });
  }

  async byPerson(
    ref: WorkspaceRef,
    actor: Person,
    id: ApiKeyId,
    graceSeconds: number,
  ): Promise<IssuedApiKey> {
    return this.unitOfWork.run(async () => {
      const key = await this.keys.lockBelowParent(ref, id);
      return this.rotate(key, graceSeconds, actor, actor.id, this.clock.now());
    });
  }

  private async rotate(
    key: ApiKey | undefined,
    graceSeconds: number,
    actor: Actor,
    rotatedBy: ApiKeyId | UserId,
    now: Date,
  ): Promise<IssuedApiKey> {
    if (!key) throw new NotFound('API key');
    const successor = key.rotate(graceSeconds, rotatedBy, now);
    if (graceSeconds > 0) await this.refuseWithoutRoom(key, now);
    await this.keys.add(successor.key, [successor.key.event('api_key.created', now)]);
    await this.keys.save(key, key.revokedAt ? [key.event('api_key.revoked', now)] : []);
    const details = { successorId: successor.key.id, graceSeconds };
    await this.auditLog.append(auditEntry('api_key.rotated', actor, key, details));
    this.unitOfWork.afterCommit(waitForExpiry);
    return successor;
  }

  /** Without a grace period one key replaces another, so the limit can't be exceeded. */
  private async refuseWithoutRoom(ref: WorkspaceRef, now: Date): Promise<void> {
    const { left, max } = await this.keys.room(ref, now);
    if (left > 0) return;
    throw new ValidationFailed({
      field: 'gracePeriodSeconds',
      message: `must be 0, so that the old key ends at once: this workspace has ${max} live ${ref.mode} keys, the most it may have. To keep the old key for a while, revoke one that is no longer used`,
    });
  }
}
