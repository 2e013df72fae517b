import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { ApiKeyId } from '../../../kernel/ids';
import type { Principal } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { type IssuedApiKey } from '../domain/api-key';
import { ApiKeyRepository } from './api-key-repository';
import { lockCallingKey } from './create-api-key';

@Injectable()
export class RotateApiKey {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(caller: Principal, id: ApiKeyId, graceSeconds: number): Promise<IssuedApiKey> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const { id: callerId } = await lockCallingKey(this.keys, caller, now);
      const key = await this.keys.lock(caller, id, callerId);
      if (!key) throw new NotFound('API key');
      const successor = key.rotate(graceSeconds, callerId, now);
      await this.keys.add(successor.key, [successor.key.event('api_key.created', now)]);
      await this.keys.save(key, key.revokedAt ? [key.event('api_key.revoked', now)] : []);
      return successor;
    });
  }
}
