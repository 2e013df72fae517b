import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, Redirect } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { Redeliver } from '../application/redeliver';
import { WebhookQueries } from '../application/webhook-queries';
import type { DeliveryView } from '../domain/delivery';
import { deliveryId, webhookId } from '../domain/webhook-ids';
import { DeliveriesPage, OUTCOMES } from './deliveries-page';
import { DeliveryPage } from './delivery-page';
import { deliveryList } from './webhook-lists';
import { endpointPath } from './webhooks-page';

/** Settings → Integrations → Webhooks: the deliveries of an endpoint. */
@Controller('settings/:workspace/:mode/webhooks/:webhook')
@SettingsPages('admin')
export class DeliveryPagesController {
  constructor(
    private readonly queries: WebhookQueries,
    private readonly redeliver: Redeliver,
  ) {}

  @Get('deliveries')
  async list(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<HtmlPage> {
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
    return new HtmlPage(
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
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Param('delivery') delivery: string,
  ): Promise<HtmlPage> {
    const asked = [refOf(area), person, webhookId(id), deliveryId(delivery)] as const;
    return new HtmlPage(
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
  retry(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Param('delivery') delivery: string,
  ): Promise<Redirect> {
    const asked = [refOf(area), person, webhookId(id), deliveryId(delivery)] as const;
    const next = `/deliveries/${delivery}?notice=again`;
    return this.redirectAfter(area, id, next, () => this.redeliver.retry(...asked));
  }

  @Post('test')
  test(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<Redirect> {
    return this.redirectAfter(area, id, '?notice=test', () =>
      this.redeliver.test(refOf(area), person, webhookId(id)),
    );
  }

  /** A disabled endpoint takes no events, so the visitor goes to its page, which says how to enable it. */
  private async redirectAfter(
    area: Area,
    id: string,
    next: string,
    work: () => Promise<DeliveryView>,
  ): Promise<Redirect> {
    const done = await new FormInput().submit(work);
    const endpoint = endpointPath(area, { id: webhookId(id) });
    return new Redirect(done ? `${endpoint}${next}` : endpoint);
  }
}
