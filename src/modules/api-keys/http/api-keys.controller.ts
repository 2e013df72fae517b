import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { parseInstant } from '../../../kernel/time';
import { Caller, RequireCredential } from '../../../platform/access/access.decorators';
import { OptionalBody } from '../../../platform/http/optional-body.decorator';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { ApiKeyQueries } from '../application/api-key-queries';
import { CreateApiKey } from '../application/create-api-key';
import { RevokeApiKey } from '../application/revoke-api-key';
import { RotateApiKey } from '../application/rotate-api-key';
import { WaitsAtItsEnd } from '../../../platform/http/waits-at-its-end.decorator';
import { type ApiKeyView, DEFAULT_GRACE_SECONDS, type IssuedApiKey } from '../domain/api-key';
import {
  API_KEY,
  ApiKeyResponse,
  CreateApiKeyBody,
  IssuedApiKeyResponse,
  RotateApiKeyBody,
} from './api-key.dto';

const PATH = '/v1/api-keys';
const FORBIDDEN = 'Only an API key may manage API keys.';

@Controller(PATH)
@DescribeGroup({
  name: 'API keys',
  description:
    'A key manages itself and the keys descended from it, in its own workspace and mode. People manage all of them in the settings.',
})
@RequireCredential()
export class ApiKeysController {
  constructor(
    private readonly createApiKey: CreateApiKey,
    private readonly rotateApiKey: RotateApiKey,
    private readonly revokeApiKey: RevokeApiKey,
    private readonly queries: ApiKeyQueries,
  ) {}

  @Post()
  @Describe({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'For the calling key’s workspace and mode, with no more than its own scopes and no later expiry than its own. An OAuth token may not. A workspace has at most 100 live keys in each mode, unless the operator sets another number; beyond it the answer is a 422 that names `name`.',
    status: 201,
    response: IssuedApiKeyResponse,
    answer: { lastUsedAt: null },
    forbidden: "A key can't make one with the scope leads:write, which it lacks itself.",
    invalid: { field: 'name', message: 'is required' },
  })
  async create(
    @Caller() caller: Principal,
    @Body() { name, scopes, expiresAt }: CreateApiKeyBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiKeyView & { key: string }> {
    const input = { name, scopes: scopes ?? [], expiresAt: expiresAt ? parseInstant(expiresAt)! : null };
    return shownOnce(await this.createApiKey.byKey(caller, input), response);
  }

  @Get()
  @DescribeList({
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'The calling key and the keys descended from it, newest first.',
    item: ApiKeyResponse,
    list: 'ApiKeyList',
    forbidden: FORBIDDEN,
    invalid: { field: 'page', message: 'must be a whole number from 1 to 1000000000' },
  })
  list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<ApiKeyView>> {
    const request = toPageRequest(query, {
      list: 'api-keys',
      sort: { field: 'createdAt', descending: true },
      kind: 'instant',
      idPrefix: 'key',
    });
    return this.queries.list(caller, request);
  }

  @Get(':id')
  @Describe({
    operationId: 'getApiKey',
    summary: 'Get an API key',
    description: 'Revoked ones too. The secret itself is never shown again.',
    object: API_KEY,
    response: ApiKeyResponse,
    forbidden: FORBIDDEN,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ApiKeyView> {
    return this.queries.get(caller, API_KEY.read(id));
  }

  @Delete(':id')
  @WaitsAtItsEnd()
  @Describe({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'Takes effect at once: every later request with the key is a 401. Keys made by it go on working.',
    object: API_KEY,
    response: ApiKeyResponse,
    answer: { revokedAt: '2027-01-17T08:15:00.000Z' },
    forbidden: FORBIDDEN,
  })
  revoke(@Caller() caller: Principal, @Param('id') id: string): Promise<ApiKeyView> {
    return this.revokeApiKey.byKey(caller, API_KEY.read(id));
  }

  @Post(':id/rotate')
  @WaitsAtItsEnd()
  @HttpCode(201)
  @OptionalBody()
  @Describe({
    operationId: 'rotateApiKey',
    summary: 'Rotate an API key',
    description:
      'Makes a successor with the same name, scopes and expiry; the old key ends after the grace period. A key that expires, or is in its grace period, can’t rotate a key that outlives it. A workspace that has as many live keys as it may can rotate one with a grace period of 0.',
    object: API_KEY,
    status: 201,
    response: IssuedApiKeyResponse,
    answer: { lastUsedAt: null },
    forbidden: FORBIDDEN,
    setsLocation: true,
    invalid: { field: 'revokedAt', message: 'a revoked key can’t be rotated; create a new one' },
  })
  async rotate(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { gracePeriodSeconds }: RotateApiKeyBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiKeyView & { key: string }> {
    const grace = gracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
    const issued = await this.rotateApiKey.byKey(caller, API_KEY.read(id), grace);
    response.setHeader('Location', `${PATH}/${issued.key.id}`);
    return shownOnce(issued, response);
  }
}

function shownOnce({ key, token }: IssuedApiKey, response: Response): ApiKeyView & { key: string } {
  response.setHeader('Cache-Control', 'no-store');
  return { ...key.view(), key: token };
}
