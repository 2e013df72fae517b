import { Injectable } from '@nestjs/common';
import type { ApiKeyId, UserId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Accounts } from '../../accounts';
import { WorkspaceApiKeys } from '../application/workspace-api-keys';
import type { ApiKeyView } from '../domain/api-key';

/** The names of keys' creators, by their ids. */
export type Makers = ReadonlyMap<string, string>;

@Injectable()
export class KeyMakers {
  constructor(
    private readonly accounts: Accounts,
    private readonly keys: WorkspaceApiKeys,
  ) {}

  async of(ref: WorkspaceRef, keys: readonly ApiKeyView[]): Promise<Makers> {
    const ids = [...new Set(keys.map(({ createdBy }) => createdBy))];
    const isKey = (id: ApiKeyId | UserId | null): id is ApiKeyId => id?.startsWith('key_') ?? false;
    const isUser = (id: ApiKeyId | UserId | null): id is UserId => id?.startsWith('user_') ?? false;
    const names = await this.keys.namesOf(ref, ids.filter(isKey));
    const emails = await this.accounts.emailsOf(ids.filter(isUser));
    return new Map<string, string>([
      ...[...names].map(([id, name]) => [id, `API key ${name}`] as const),
      ...emails,
    ]);
  }
}

export function makerOf({ createdBy }: ApiKeyView, makers: Makers): string {
  return createdBy === null ? 'Server administrator' : (makers.get(createdBy) ?? 'Unknown');
}
