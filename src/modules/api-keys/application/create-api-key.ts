import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Forbidden, Unauthorized, ValidationFailed } from '../../../kernel/errors';
import { type ApiKeyId, parseId } from '../../../kernel/ids';
import type { Principal, WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { ApiKey, type IssuedApiKey, type NewApiKey } from '../domain/api-key';
import { ApiKeyRepository } from './api-key-repository';

@Injectable()
export class CreateApiKey {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly scopes: ScopeRegistry,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** By another key, for its own workspace and mode. */
  byKey(caller: Principal, wish: NewApiKey): Promise<IssuedApiKey> {
    this.refuseUnknownScopes(wish);
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const maker = await lockCallingKey(this.keys, caller, now);
      return this.store(maker.issueChild(wish, now));
    });
  }

  /** By the operator. */
  byOperator(ref: WorkspaceRef, wish: NewApiKey): Promise<IssuedApiKey> {
    this.refuseUnknownScopes(wish);
    return this.store(ApiKey.issue(ref, wish, null, this.clock.now()));
  }

  private async store(issued: IssuedApiKey): Promise<IssuedApiKey> {
    await this.keys.add(issued.key, [issued.key.event('api_key.created', issued.key.createdAt)]);
    return issued;
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

/** Keys are managed by keys alone: an OAuth token could otherwise turn itself into something longer-lived. */
export function callingKeyId({ credential }: Principal): ApiKeyId {
  const id = credential.type === 'api_key' && parseId('key', credential.id);
  if (!id) throw new Forbidden('Only an API key may manage API keys.');
  return id;
}

/** It was valid when the request came in; what was revoked since must not leave a new key behind. */
export async function lockCallingKey(keys: ApiKeyRepository, caller: Principal, now: Date): Promise<ApiKey> {
  const key = await keys.lock(caller, callingKeyId(caller));
  if (!key || key.hasEnded(now)) throw new Unauthorized('This credential was revoked or has expired.', true);
  return key;
}
