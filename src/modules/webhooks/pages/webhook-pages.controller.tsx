import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { EventTypes } from '../../../kernel/event-types';
import { localTimeIn, parseLocalTime } from '../../../kernel/local-time';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { toPageRequest } from '../../../platform/http/page-query';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { AuditLogQueries } from '../../audit-log';
import { type Area, InArea, listRequest, refOf, SettingsPages, settingsPath } from '../../shell';
import { ManageWebhooks } from '../application/manage-webhooks';
import { Redeliver } from '../application/redeliver';
import type { WebhookAction } from '../application/webhook-actions';
import { WebhookQueries } from '../application/webhook-queries';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { webhookId } from '../domain/webhook-ids';
import { DeleteWebhookPage, NewSecretPage, RotateSecretPage } from './webhook-confirmations';
import { CreateWebhookPage, readSettings, settingsOf } from './webhook-form';
import { deliveryList, endpointList } from './webhook-lists';
import { WebhookPage } from './webhook-page';
import { tabNamed, tabPath, type WebhookPageProps } from './webhook-page-props';
import { type Creators, endpointPath, WebhooksPage } from './webhooks-page';

const DAY_MS = 86_400_000;
/** The number of deliveries on the page of an endpoint. */
const LATEST = '5';

const recoveryTime =
  (zone: string) =>
  (value: unknown): string | undefined =>
    parseLocalTime(zone, value as string) ? undefined : 'must be a date and time such as 2027-01-15T09:30';

/** Settings → Integrations → Webhooks: endpoints. */
@Controller('settings/:workspace/:mode/webhooks')
@SettingsPages('admin')
export class WebhookPagesController {
  constructor(
    private readonly queries: WebhookQueries,
    private readonly manage: ManageWebhooks,
    private readonly redeliver: Redeliver,
    private readonly auditLog: AuditLogQueries,
    private readonly eventTypes: EventTypes,
    private readonly scopes: ScopeRegistry,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
  ): Promise<HtmlPage> {
    const { data, pagination } = await this.queries.list(
      refOf(area),
      person,
      listRequest(request, endpointList(area)),
    );
    return new HtmlPage(
      <WebhooksPage
        area={area}
        endpoints={data}
        creators={await this.creatorsOf(area, data)}
        nextCursor={pagination.nextCursor}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Get('new')
  showCreation(@InArea() area: Area): HtmlPage {
    return this.creation(area, new FormInput());
  }

  /** Returns the secret in the response, because a redirect would put it in the URL. */
  @Post()
  async create(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<HtmlPage> {
    const settings = readSettings(form);
    const done = await form.submit(() => this.manage.create(refOf(area), person, settings));
    if (!done) return this.creation(area, form);
    return new HtmlPage(<NewSecretPage area={area} made={done.result} />, 201);
  }

  @Get(':webhook')
  async show(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<HtmlPage> {
    const tab = tabNamed(queryText(request, 'tab'));
    return this.endpoint(area, person, id, { tab, notice: queryText(request, 'notice') });
  }

  @Post(':webhook')
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const settings = readSettings(form);
    const done = await form.submit(() => this.manage.change(refOf(area), person, webhookId(id), settings));
    if (!done) return this.endpoint(area, person, id, { tab: 'settings', changes: form });
    return new Redirect(`${tabPath(area, done.result, 'settings')}&notice=saved`);
  }

  @Post(':webhook/pause')
  async pause(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<Redirect> {
    const status = 'disabled';
    const endpoint = await this.manage.change(refOf(area), person, webhookId(id), { status });
    return new Redirect(`${endpointPath(area, endpoint)}?notice=paused`);
  }

  @Post(':webhook/enable')
  async enable(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<Redirect> {
    const endpoint = await this.manage.change(refOf(area), person, webhookId(id), { status: 'enabled' });
    return new Redirect(`${endpointPath(area, endpoint)}?notice=enabled`);
  }

  @Get(':webhook/rotate')
  async confirmRotation(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<HtmlPage> {
    const endpoint = await this.queries.get(refOf(area), person, webhookId(id));
    return new HtmlPage(<RotateSecretPage area={area} endpoint={endpoint} now={this.clock.now()} />);
  }

  @Post(':webhook/rotate')
  async rotate(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<HtmlPage> {
    const made = await this.manage.rotateSecret(refOf(area), person, webhookId(id));
    const { previousSecretEndsAt } = await this.queries.get(refOf(area), person, made.endpoint.id);
    const page = <NewSecretPage area={area} made={made} previousEndsAt={previousSecretEndsAt} />;
    return new HtmlPage(page, 201);
  }

  @Get(':webhook/delete')
  async confirmDeletion(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<HtmlPage> {
    const endpoint = await this.queries.get(refOf(area), person, webhookId(id));
    return new HtmlPage(<DeleteWebhookPage area={area} endpoint={endpoint} />);
  }

  @Post(':webhook/delete')
  async delete(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<Redirect> {
    await this.manage.delete(refOf(area), person, webhookId(id));
    return new Redirect(`${settingsPath(area, `${area.mode}/webhooks`)}?notice=deleted`);
  }

  @Post(':webhook/recover')
  async recover(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const { timeZone } = area.workspace;
    const since = form.text('since', recoveryTime(timeZone));
    const done = await form.submit(() =>
      this.redeliver.recover(refOf(area), person, webhookId(id), parseLocalTime(timeZone, since)!),
    );
    if (!done) return this.endpoint(area, person, id, { tab: 'deliveries', recovery: form });
    const log = endpointPath(area, { id: webhookId(id) }, 'deliveries');
    return new Redirect(`${log}?recovered=${done.result}`);
  }

  private creation(area: Area, form: FormInput): HtmlPage {
    const page = <CreateWebhookPage area={area} form={form} words={this.eventTypes.entries()} />;
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  private async endpoint(
    area: Area,
    person: Person,
    id: string,
    given: Pick<WebhookPageProps, 'tab' | 'notice'> & Partial<Pick<WebhookPageProps, 'changes' | 'recovery'>>,
  ): Promise<HtmlPage> {
    const endpoint = await this.queries.get(refOf(area), person, webhookId(id));
    const now = this.clock.now();
    const since = localTimeIn(area.workspace.timeZone, new Date(now.getTime() - DAY_MS));
    const { changes = new FormInput(settingsOf(endpoint)), recovery = new FormInput({ since }) } = given;
    const { data: latest } = await this.queries.listDeliveries(
      refOf(area),
      person,
      endpoint.id,
      {},
      toPageRequest({ limit: LATEST }, deliveryList(area, endpoint.id)),
    );
    return new HtmlPage(
      <WebhookPage
        {...{ area, endpoint, latest, changes, recovery, now }}
        tab={given.tab}
        creators={await this.creatorsOf(area, [endpoint])}
        words={this.eventTypes.entries()}
        scopeWords={new Map(this.scopes.entries())}
        notice={given.notice}
      />,
      changes.isFaulty || recovery.isFaulty ? 422 : 200,
    );
  }

  private creatorsOf(area: Area, endpoints: readonly EndpointDetails[]): Promise<Creators> {
    const targets = endpoints.map(({ id, createdAt }) => ({ id, at: createdAt }));
    return this.auditLog.actorsOf(area.workspace.id, 'webhook.created' satisfies WebhookAction, targets);
  }
}
