import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { EventTypes } from '../../../kernel/event-types';
import { localTimeIn, parseLocalTime } from '../../../kernel/local-time';
import { toPageRequest } from '../../../platform/http/page-query';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { InstallationRepository } from '../../oauth';
import { ManageWebhooks, Redeliver, webhookId, WebhookQueries } from '../../webhooks';
import { type Area, InArea, refOf, settingsPath, SettingsPages } from './area';
import { listRequest } from './list-request';
import { DeleteWebhookPage, NewSecretPage, RotateSecretPage } from './webhook-confirmations';
import { CreateWebhookPage, readSettings, settingsOf } from './webhook-form';
import { deliveryList, endpointList } from './webhook-lists';
import { WebhookPage, type WebhookPageProps } from './webhook-page';
import { type AppNames, endpointPath, WebhooksPage } from './webhooks-page';

const DAY_MS = 86_400_000;
/** Of the deliveries, on the page of an endpoint. */
const LATEST = '5';

const recoveryTime =
  (zone: string) =>
  (value: unknown): string | undefined =>
    parseLocalTime(zone, value as string) ? undefined : 'must be a day and a time, written 2027-01-15T09:30';

/** Settings → Integrations → Webhooks: the endpoints. */
@Controller('settings/:workspace/:mode/webhooks')
@SettingsPages('admin')
export class WebhooksController {
  constructor(
    private readonly queries: WebhookQueries,
    private readonly manage: ManageWebhooks,
    private readonly redeliver: Redeliver,
    private readonly installations: InstallationRepository,
    private readonly eventTypes: EventTypes,
    private readonly clock: Clock,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async list(
    @Req() request: Request,
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
  ): Promise<void> {
    const { data, pagination } = await this.queries.list(
      refOf(area),
      person,
      listRequest(request, endpointList(area)),
    );
    this.pages.send(
      response,
      <WebhooksPage
        area={area}
        endpoints={data}
        apps={await this.appNames(area)}
        nextCursor={pagination.nextCursor}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Get('new')
  showCreation(@Res() response: Response, @InArea() area: Area): void {
    this.sendCreation(response, area, new FormInput());
  }

  /** Answers with the secret itself instead of leading on to a page: it is in no address. */
  @Post()
  async create(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const settings = readSettings(form);
    const done = await form.submit(() => this.manage.create(refOf(area), person, settings));
    if (!done) this.sendCreation(response, area, form);
    else this.pages.send(response, <NewSecretPage area={area} made={done.result} />, 201);
  }

  @Get(':webhook')
  async show(
    @Req() request: Request,
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    await this.sendEndpoint(response, area, person, id, { notice: queryText(request, 'notice') });
  }

  @Post(':webhook')
  async change(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const settings = readSettings(form);
    const done = await form.submit(() => this.manage.change(refOf(area), person, webhookId(id), settings));
    if (!done) await this.sendEndpoint(response, area, person, id, { changes: form });
    else this.pages.redirect(response, `${endpointPath(area, done.result)}?notice=saved`);
  }

  @Post(':webhook/pause')
  async pause(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    const status = 'disabled';
    const endpoint = await this.manage.change(refOf(area), person, webhookId(id), { status });
    this.pages.redirect(response, `${endpointPath(area, endpoint)}?notice=paused`);
  }

  @Post(':webhook/enable')
  async enable(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    const endpoint = await this.manage.change(refOf(area), person, webhookId(id), { status: 'enabled' });
    this.pages.redirect(response, `${endpointPath(area, endpoint)}?notice=enabled`);
  }

  @Get(':webhook/rotate')
  async confirmRotation(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    const endpoint = await this.queries.get(refOf(area), person, webhookId(id));
    this.pages.send(response, <RotateSecretPage area={area} endpoint={endpoint} now={this.clock.now()} />);
  }

  @Post(':webhook/rotate')
  async rotate(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    const made = await this.manage.rotateSecret(refOf(area), person, webhookId(id));
    const { previousSecretEndsAt } = await this.queries.get(refOf(area), person, made.endpoint.id);
    const page = <NewSecretPage area={area} made={made} previousEndsAt={previousSecretEndsAt} />;
    this.pages.send(response, page, 201);
  }

  @Get(':webhook/delete')
  async confirmDeletion(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    const endpoint = await this.queries.get(refOf(area), person, webhookId(id));
    this.pages.send(response, <DeleteWebhookPage area={area} endpoint={endpoint} />);
  }

  @Post(':webhook/delete')
  async delete(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
  ): Promise<void> {
    await this.manage.delete(refOf(area), person, webhookId(id));
    this.pages.redirect(response, `${settingsPath(area, `${area.mode}/webhooks`)}?notice=deleted`);
  }

  @Post(':webhook/recover')
  async recover(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('webhook') id: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const { timeZone } = area.workspace;
    const since = form.text('since', recoveryTime(timeZone));
    const done = await form.submit(() =>
      this.redeliver.recover(refOf(area), person, webhookId(id), parseLocalTime(timeZone, since)!),
    );
    if (!done) await this.sendEndpoint(response, area, person, id, { recovery: form });
    else {
      const log = endpointPath(area, { id: webhookId(id) }, 'deliveries');
      this.pages.redirect(response, `${log}?recovered=${done.result}`);
    }
  }

  private sendCreation(response: Response, area: Area, form: FormInput): void {
    const page = <CreateWebhookPage area={area} form={form} words={this.eventTypes.entries()} />;
    this.pages.send(response, page, form.isFaulty ? 422 : 200);
  }

  private async sendEndpoint(
    response: Response,
    area: Area,
    person: Person,
    id: string,
    given: Partial<Pick<WebhookPageProps, 'changes' | 'recovery' | 'notice'>>,
  ): Promise<void> {
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
    this.pages.send(
      response,
      <WebhookPage
        {...{ area, endpoint, latest, changes, recovery, now }}
        apps={await this.appNames(area)}
        words={this.eventTypes.entries()}
        notice={given.notice}
      />,
      changes.isFaulty || recovery.isFaulty ? 422 : 200,
    );
  }

  private async appNames(area: Area): Promise<AppNames> {
    const apps = await this.installations.list(refOf(area));
    return new Map(apps.map(({ id, appName }) => [id, appName]));
  }
}
