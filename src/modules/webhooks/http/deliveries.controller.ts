import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { parseInstant } from '../../../kernel/time';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeList } from '../../../platform/openapi/describe';
import { Redeliver } from '../application/redeliver';
import { WebhookQueries } from '../application/webhook-queries';
import type { DeliveryView } from '../domain/delivery';
import { DeliveryResponse, ListDeliveriesQuery, RecoverBody, RecoveryResponse } from './webhook.dto';
import { DELIVERY, ENDPOINT } from './webhook-ids';

const DISABLED = {
  field: 'status',
  message: 'is disabled: nothing is sent to this endpoint until it is enabled again',
};

@Controller('v1/webhooks/:id')
@ApiTags('Webhooks')
@RequireScope('webhooks:write')
export class DeliveriesController {
  constructor(
    private readonly redeliver: Redeliver,
    private readonly queries: WebhookQueries,
  ) {}

  @Get('deliveries')
  @DescribeList({
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'Of the last 30 days. Newest first, each with its attempts.',
    object: ENDPOINT,
    item: DeliveryResponse,
    list: 'WebhookDeliveryList',
  })
  list(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() { status, ...page }: ListDeliveriesQuery,
  ): Promise<Page<DeliveryView>> {
    const endpoint = ENDPOINT.read(id);
    const filter = { ...(status && { status }) };
    const request = toPageRequest(page, {
      list: 'webhook-deliveries',
      filters: { endpoint, ...filter },
      sort: { field: 'createdAt', descending: true },
      kind: 'instant',
      idPrefix: 'del',
    });
    return this.queries.listDeliveries(caller, actorOf(caller), endpoint, filter, request);
  }

  @Post('deliveries/:delivery/retry')
  @HttpCode(200)
  @Describe({
    operationId: 'retryWebhookDelivery',
    summary: 'Send a delivery again',
    description:
      'At once, and by the whole schedule if it fails; also when it had succeeded. A test is attempted once; while another one of the endpoint is pending, the answer is a 422 that names `status`.',
    object: DELIVERY,
    within: ENDPOINT,
    response: DeliveryResponse,
    answer: { status: 'pending', nextAttemptAt: '2027-01-15T09:31:00.000Z' },
    invalid: DISABLED,
  })
  retry(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Promise<DeliveryView> {
    return this.redeliver.retry(caller, actorOf(caller), ENDPOINT.read(id), DELIVERY.read(delivery));
  }

  @Post('test')
  @HttpCode(201)
  @Describe({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'A `webhook.test` event, to this endpoint alone, whatever events it listens to. It is attempted once. While one is pending, a further request returns that same delivery.',
    object: ENDPOINT,
    status: 201,
    response: DeliveryResponse,
    answer: { eventType: 'webhook.test', status: 'pending', attempts: [] },
    invalid: DISABLED,
  })
  test(@Caller() caller: Principal, @Param('id') id: string): Promise<DeliveryView> {
    return this.redeliver.test(caller, actorOf(caller), ENDPOINT.read(id));
  }

  @Post('recover')
  @HttpCode(200)
  @Describe({
    operationId: 'recoverWebhook',
    summary: 'Recover what was missed',
    description: 'Sends everything again that was given up since a time, except tests.',
    object: ENDPOINT,
    response: RecoveryResponse,
    invalid: { field: 'since', message: 'is required' },
  })
  async recover(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { since }: RecoverBody,
  ): Promise<RecoveryResponse> {
    const from = parseInstant(since)!;
    return { recovered: await this.redeliver.recover(caller, actorOf(caller), ENDPOINT.read(id), from) };
  }
}
