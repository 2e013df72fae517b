import { Injectable } from '@nestjs/common';
import { type Actor, actorOf, OPERATOR, type Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { ApiKeyId } from '../../../kernel/ids';
import { waitForExpiry } from '../../../kernel/short-lived-cache';
import type { Principal, WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import type { ApiKey, ApiKeyView } from '../domain/api-key';
import { auditEntry } from './api-key-actions';
import { ApiKeyRepository } from './api-key-repository';
import { callingKeyId } from './create-api-key';

/** Resolves once no instance uses a cached copy of the key: from then on every request gets a 401. */
@Injectable()
export class RevokeApiKey {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  byKey(caller: Principal, id: ApiKeyId): Promise<ApiKeyView> {
    return this.revokeOne(caller, id, actorOf(caller), callingKeyId(caller));
  }

  byOperator(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKeyView> {
    return this.revokeOne(ref, id, OPERATOR);
  }

  /** Resolves to the keys that this call has revoked, which may be none. */
  async byPerson(
    ref: WorkspaceRef,
    actor: Person,
    id: ApiKeyId,
    { andDescendants }: { andDescendants: boolean },
  ): Promise<ApiKeyView[]> {
    return this.unitOfWork.run(async () => {
      const key = await this.keys.lock(ref, id);
      if (!key) throw new NotFound('API key');
      const descendants = andDescendants ? await this.keys.lockDescendants(ref, id) : [];
      const now = this.clock.now();
      const revoked: ApiKeyView[] = [];
      for (const each of [key, ...descendants.filter((descendant) => !descendant.hasEnded(now))]) {
        if (await this.revoke(each, actor, now, key)) revoked.push(each.view());
      }
      this.unitOfWork.afterCommit(waitForExpiry);
      return revoked;
    });
  }

  private async revokeOne(
    ref: WorkspaceRef,
    id: ApiKeyId,
    actor: Actor,
    root?: ApiKeyId,
  ): Promise<ApiKeyView> {
    return this.unitOfWork.run(async () => {
      const key = await this.keys.lock(ref, id, root);
      if (!key) throw new NotFound('API key');
      await this.revoke(key, actor, this.clock.now());
      // Waits for a key that was revoked before, too: that may have been a moment ago.
      this.unitOfWork.afterCommit(waitForExpiry);
      return key.view();
    });
  }

  private async revoke(key: ApiKey, actor: Actor, now: Date, ancestor = key): Promise<boolean> {
    if (!key.revoke(now)) return false;
    await this.keys.save(key, [key.event('api_key.revoked', now)]);
    const details = key === ancestor ? undefined : { withAncestor: ancestor.id };
    await this.auditLog.append(auditEntry('api_key.revoked', actor, key, details));
    return true;
  }
}
