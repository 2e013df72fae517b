import { Injectable } from '@nestjs/common';
import { type Actor, actorOf, OPERATOR, type Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { Forbidden, Unauthorized, ValidationFailed } from '../../../kernel/errors';
import { type ApiKeyId, parseId } from '../../../kernel/ids';
import type { Principal, WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { AuditLog } from '../../audit-log';
import { ApiKey, type IssuedApiKey, type NewApiKey } from '../domain/api-key';
import { auditEntry } from './api-key-actions';
import { ApiKeyRepository } from './api-key-repository';

@Injectable()
export class CreateApiKey {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly scopes: ScopeRegistry,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Creates a key for another key, in that key's workspace and mode. */
  byKey(caller: Principal, input: NewApiKey): Promise<IssuedApiKey> {
    return this.create(actorOf(caller), input, async (now) =>
      (await lockCallingKey(this.keys, caller, now)).issueChild(input, now),
    );
  }

  byPerson(ref: WorkspaceRef, actor: Person, input: NewApiKey): Promise<IssuedApiKey> {
    return this.create(actor, input, (now) => ApiKey.issue(ref, input, actor.id, now));
  }

  byOperator(ref: WorkspaceRef, input: NewApiKey): Promise<IssuedApiKey> {
    return this.create(OPERATOR, input, (now) => ApiKey.issue(ref, input, null, now));
  }

  private create(
    actor: Actor,
    input: NewApiKey,
    issue: (now: Date) => IssuedApiKey | Promise<IssuedApiKey>,
  ): Promise<IssuedApiKey> {
    this.refuseUnknownScopes(input);
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const issued = await issue(now);
      const { key } = issued;
      await this.refuseWithoutRoom(key, now);
      await this.keys.add(key, [key.event('api_key.created', now)]);
      const details = { scopes: key.scopes, expiresAt: key.expiresAt?.toISOString() ?? null };
      await this.auditLog.append(auditEntry('api_key.created', actor, key, details));
      return issued;
    });
  }

  private async refuseWithoutRoom(ref: WorkspaceRef, now: Date): Promise<void> {
    const { left, max } = await this.keys.room(ref, now);
    if (left > 0) return;
    throw new ValidationFailed({
      field: 'name',
      message: `can’t be given to another key: this workspace has ${max} live ${ref.mode} keys, the most it may have. Revoke one that is no longer used`,
    });
  }

  private refuseUnknownScopes({ scopes }: NewApiKey): void {
    const unknown = scopes.find((scope) => !this.scopes.has(scope));
    if (unknown !== undefined) {
      throw new ValidationFailed({
        field: 'scopes',
        message: `there is no scope ${JSON.stringify(unknown)}`,
      });
    }
  }
}

/** Only keys may manage keys: an OAuth token could otherwise outlive itself through a key. */
export function callingKeyId({ credential }: Principal): ApiKeyId {
  const id = credential.type === 'api_key' && parseId('key', credential.id);
  if (!id) throw new Forbidden('Only an API key may manage API keys.');
  return id;
}

/** The key was valid when the request arrived. If it was revoked since, it must not leave a new key behind. */
export async function lockCallingKey(keys: ApiKeyRepository, caller: Principal, now: Date): Promise<ApiKey> {
  const key = await keys.lock(caller, callingKeyId(caller));
  refuseEndedCaller(key, now);
  return key;
}

export function refuseEndedCaller(key: ApiKey | undefined, now: Date): asserts key is ApiKey {
  if (!key || key.hasEnded(now)) throw new Unauthorized('This credential was revoked or has expired.', true);
}
