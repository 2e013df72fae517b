import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { parseId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { ApiKeyRepository } from './api-key-repository';
import { refuseEndedCaller } from './create-api-key';

/** The lifetimes of keys, for objects that keys create in other modules and that must not outlive them. */
@Injectable()
export class KeyLifetimes {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * When the calling key stops working; null for never, and for credentials of extensions, which manage their own. The key is
   * locked until the unit of work ends, so no revocation or rotation happens in between. Throws `Unauthorized` for a key that
   * has ended since the request arrived.
   */
  async endOf(ref: WorkspaceRef, credentialId: string): Promise<Date | null> {
    const id = parseId('key', credentialId);
    if (!id) return null;
    const key = await this.keys.lock(ref, id);
    refuseEndedCaller(key, this.clock.now());
    return key.endsAt;
  }
}
