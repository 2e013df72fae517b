import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { ApiKeyId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import type { ApiKeyView } from '../domain/api-key';
import { ApiKeyRepository } from './api-key-repository';
import { callingKeyId } from './create-api-key';

/** Reads for a key, which sees itself and its descendants. */
@Injectable()
export class ApiKeyQueries {
  constructor(private readonly keys: ApiKeyRepository) {}

  async get(caller: Principal, id: ApiKeyId): Promise<ApiKeyView> {
    const key = await this.keys.find(caller, id, callingKeyId(caller));
    if (!key) throw new NotFound('API key');
    return key;
  }

  async list(caller: Principal, request: PageRequest): Promise<Page<ApiKeyView>> {
    const slice = await this.keys.list(caller, request, callingKeyId(caller));
    return pageOf(request, slice, ({ createdAt, id }) => ({ value: createdAt.toISOString(), id }));
  }
}
