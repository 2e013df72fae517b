import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Person } from '../../../kernel/actor';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { deliveryId, type DeliveryView, Redeliver, webhookId, WebhookQueries } from '../../webhooks';
import { type Area, InArea, refOf, SettingsPages } from './area';
import { listRequest } from './list-request';
import { DeliveriesPage, OUTCOMES } from './webhook-deliveries-page';
import { DeliveryPage } from './webhook-delivery-page';
import { deliveryList } from './webhook-lists';
import { endpointPath } from './webhooks-page';

/** Settings → Integrations → Webhooks: what was sent to an endpoint, and what came back. */
@Controller('settings/:workspace/:mode/webhooks/:webhook')
@SettingsPages('admin')
export class WebhookDeliveriesController {
  constructor(
    private readonly queries: WebhookQueries,
    private readonly redeliver: Redeliver,
    private readonly pages: PageRenderer,
  ) {}

  @Get('deliveries')
  async list(
    @Req() request: Request,
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    const endpoint = await this.queries.get(refOf(area), person, webhookId(id));
    const wanted = queryText(request, 'status');
    const status = OUTCOMES.find(({ value }) => value === wanted)?.value || undefined;
    const recovered = queryText(request, 'recovered');
    const filter = { ...(status && { status }) };
    const { data, pagination } = await this.queries.listDeliveries(
      refOf(area),
      person,
      endpoint.id,
      filter,
      listRequest(request, deliveryList(area, endpoint.id, filter)),
    );
    this.pages.send(
      response,
      <DeliveriesPage
        area={area}
        endpoint={endpoint}
        deliveries={data}
        status={status}
        nextCursor={pagination.nextCursor}
        recovered={/^\d{1,9}$/.test(recovered) ? Number(recovered) : undefined}
      />,
    );
  }

  @Get('deliveries/:delivery')
  async show(
    @Req() request: Request,
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Param('delivery') delivery: string,
  ): Promise<void> {
    const asked = [refOf(area), person, webhookId(id), deliveryId(delivery)] as const;
    this.pages.send(
      response,
      <DeliveryPage
        area={area}
        endpoint={await this.queries.get(refOf(area), person, webhookId(id))}
        delivery={await this.queries.delivery(...asked)}
        body={await this.queries.deliveryBody(...asked)}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Post('deliveries/:delivery/retry')
  async retry(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Param('delivery') delivery: string,
  ): Promise<void> {
    const asked = [refOf(area), person, webhookId(id), deliveryId(delivery)] as const;
    const next = `/deliveries/${delivery}?notice=again`;
    await this.send(response, area, id, next, () => this.redeliver.retry(...asked));
  }

  @Post('test')
  async test(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    await this.send(response, area, id, '?notice=test', () =>
      this.redeliver.test(refOf(area), person, webhookId(id)),
    );
  }

  /** Leads on, or to the endpoint when that is disabled: its page says so, and what to do. */
  private async send(
    response: Response,
    area: Area,
    id: string,
    next: string,
    work: () => Promise<DeliveryView>,
  ): Promise<void> {
    const done = await new FormInput().submit(work);
    const endpoint = endpointPath(area, { id: webhookId(id) });
    this.pages.redirect(response, done ? `${endpoint}${next}` : endpoint);
  }
}
