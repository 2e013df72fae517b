import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { ApiKeyId } from '../../../kernel/ids';
import type { Principal, WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { ApiKeyView } from '../domain/api-key';
import { ApiKeyRepository } from './api-key-repository';
import { callingKeyId } from './create-api-key';

/** Works at once: every request reads its key from the database, so the next one on any instance is a 401. */
@Injectable()
export class RevokeApiKey {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  byKey(caller: Principal, id: ApiKeyId): Promise<ApiKeyView> {
    return this.revoke(caller, id, callingKeyId(caller));
  }

  byOperator(ref: WorkspaceRef, id: ApiKeyId): Promise<ApiKeyView> {
    return this.revoke(ref, id);
  }

  private revoke(ref: WorkspaceRef, id: ApiKeyId, root?: ApiKeyId): Promise<ApiKeyView> {
    return this.unitOfWork.run(async () => {
      const key = await this.keys.lock(ref, id, root);
      if (!key) throw new NotFound('API key');
      const now = this.clock.now();
      if (key.revoke(now)) await this.keys.save(key, [key.event('api_key.revoked', now)]);
      return key.view();
    });
  }
}
