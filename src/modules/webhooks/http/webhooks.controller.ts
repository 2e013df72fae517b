import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import type { Precondition } from '../../../kernel/precondition';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { type EndpointWithSecret, ManageWebhooks } from '../application/manage-webhooks';
import { WebhookQueries } from '../application/webhook-queries';
import { viewOf, type WebhookEndpointView } from '../domain/webhook-endpoint';
import {
  CreateWebhookBody,
  UpdateWebhookBody,
  WebhookResponse,
  WebhookWithSecretResponse,
} from './webhook.dto';
import { ENDPOINT } from './webhook-ids';

@Controller('/v1/webhooks')
@DescribeGroup({
  name: 'Webhooks',
  description:
    'Where a workspace hears of its events: signed by Standard Webhooks 1.0, delivered at least once, tried again for three days.',
})
@RequireScope('webhooks:write')
export class WebhooksController {
  constructor(
    private readonly manage: ManageWebhooks,
    private readonly queries: WebhookQueries,
  ) {}

  @Post()
  @Describe({
    operationId: 'createWebhook',
    summary: 'Create a webhook endpoint',
    description:
      'On a host that is new to the workspace, a `webhook.test` event is sent at once, and other events wait until one is answered with 2xx. At most 20 endpoints lead to one host.',
    status: 201,
    response: WebhookWithSecretResponse,
    answer: { verifiedAt: null },
    invalid: { field: 'url', message: 'must be a whole URL that begins with https:// and holds no spaces' },
  })
  async create(
    @Caller() caller: Principal,
    @Body() { url, events, skipCauses, description }: CreateWebhookBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookEndpointView & { secret: string }> {
    const settings = { url, events, skipCauses: skipCauses ?? [], description: description ?? null };
    const made = await this.manage.create(caller, actorOf(caller), settings);
    return shownOnce(made, response);
  }

  @Get()
  @DescribeList({
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    description: 'Newest first. An app sees those alone that it made.',
    item: WebhookResponse,
    list: 'WebhookEndpointList',
  })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<WebhookEndpointView>> {
    const request = toPageRequest(query, {
      list: 'webhooks',
      sort: { field: 'createdAt', descending: true },
      kind: 'instant',
      idPrefix: 'wh',
    });
    const { data, pagination } = await this.queries.list(caller, actorOf(caller), request);
    return { data: data.map(viewOf), pagination };
  }

  @Get(':id')
  @Describe({
    operationId: 'getWebhook',
    summary: 'Get a webhook endpoint',
    description: 'The secret is never shown again.',
    object: ENDPOINT,
    response: WebhookResponse,
  })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<WebhookEndpointView> {
    return viewOf(await this.queries.get(caller, actorOf(caller), ENDPOINT.read(id)));
  }

  @Patch(':id')
  @Describe({
    operationId: 'updateWebhook',
    summary: 'Update a webhook endpoint',
    description:
      'Changes what is given. `events` and `skipCauses` replace; `status` pauses and resumes. Another `url`, other `events`, or enabling it, is a 403 for a credential that may not read all that the endpoint gets.',
    object: ENDPOINT,
    response: WebhookResponse,
    invalid: {
      field: 'events',
      message: 'there is no event type "lead.creatd": /docs/guides/webhooks lists them',
    },
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateWebhookBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<WebhookEndpointView> {
    const changes = { ...body, skipCauses: body.skipCauses === null ? [] : body.skipCauses };
    return this.manage.change(caller, actorOf(caller), ENDPOINT.read(id), changes, seen);
  }

  @Delete(':id')
  @Describe({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, not even what was queued.',
    object: ENDPOINT,
    response: WebhookResponse,
    answer: { status: 'disabled', disabledReason: 'Deleted.', revision: 2 },
  })
  delete(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<WebhookEndpointView> {
    return this.manage.delete(caller, actorOf(caller), ENDPOINT.read(id), seen);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Describe({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret',
    description:
      'Deliveries are signed with both secrets for 24 hours. For credentials that may read all that the endpoint gets.',
    object: ENDPOINT,
    response: WebhookWithSecretResponse,
  })
  async rotateSecret(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookEndpointView & { secret: string }> {
    return shownOnce(
      await this.manage.rotateSecret(caller, actorOf(caller), ENDPOINT.read(id), seen),
      response,
    );
  }
}

function shownOnce({ endpoint, secret }: EndpointWithSecret, response: Response) {
  response.setHeader('Cache-Control', 'no-store');
  return { ...endpoint, secret };
}
