import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import { type ApiKeyId, parseId } from '../../../kernel/ids';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { CreateApiKey, RevokeApiKey, RotateApiKey, WorkspaceApiKeys } from '../../api-keys';
import { ApiKeyPage, NewKeyPage, RevokePage } from './api-key-pages';
import { ApiKeysPage } from './api-keys-page';
import { type Area, InArea, refOf, settingsPath, SettingsPages } from './area';
import { CreateApiKeyPage, GRACE_PERIODS, LIFETIMES } from './create-api-key-page';
import { KeyMakers } from './key-makers';
import { listRequest } from './list-request';

const DAY_MS = 86_400_000;

/** Settings → Integrations → API keys. */
@Controller('settings/:workspace/:mode/api-keys')
@SettingsPages('admin')
export class ApiKeysController {
  constructor(
    private readonly keys: WorkspaceApiKeys,
    private readonly createApiKey: CreateApiKey,
    private readonly rotateApiKey: RotateApiKey,
    private readonly revokeApiKey: RevokeApiKey,
    private readonly makers: KeyMakers,
    private readonly scopes: ScopeRegistry,
    private readonly clock: Clock,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response, @InArea() area: Area): Promise<void> {
    const { data, pagination } = await this.keys.list(
      refOf(area),
      listRequest(request, {
        list: 'api-keys',
        filters: refOf(area),
        sort: { field: 'createdAt', descending: true },
        kind: 'instant',
        idPrefix: 'key',
      }),
    );
    this.pages.send(
      response,
      <ApiKeysPage
        area={area}
        keys={data}
        makers={await this.makers.of(refOf(area), data)}
        now={this.clock.now()}
        nextCursor={pagination.nextCursor}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Get('new')
  showCreation(@Res() response: Response, @InArea() area: Area): void {
    this.sendCreation(response, area, new FormInput());
  }

  /** Answers with the key itself instead of leading on to a page: it is in no address, and stored nowhere. */
  @Post()
  async create(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const name = form.text('name', fieldRules.text(100));
    if (form.list('scopes').length === 0) {
      form.problems.push({ field: 'scopes', message: 'Choose at least one permission' });
    }
    const days = form.optional('lifetime', fieldRules.oneOf(LIFETIMES.map(({ value }) => value)));
    const expiresAt = days ? new Date(this.clock.now().getTime() + Number(days) * DAY_MS) : null;
    const wish = { name, scopes: form.list('scopes'), expiresAt };
    const done = await form.submit(() => this.createApiKey.byPerson(refOf(area), person, wish));
    if (!done) this.sendCreation(response, area, form);
    else this.pages.send(response, <NewKeyPage area={area} token={done.result.token} />, 201);
  }

  @Get(':key')
  async show(@Res() response: Response, @InArea() area: Area, @Param('key') id: string): Promise<void> {
    await this.sendKey(response, area, apiKeyId(id), new FormInput({ grace: '86400' }));
  }

  @Post(':key/rotate')
  async rotate(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('key') id: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const grace = form.text('grace', fieldRules.oneOf(GRACE_PERIODS.map(({ value }) => value)));
    const done = await form.submit(() =>
      this.rotateApiKey.byPerson(refOf(area), person, apiKeyId(id), Number(grace)),
    );
    if (!done) await this.sendKey(response, area, apiKeyId(id), form);
    else
      this.pages.send(
        response,
        <NewKeyPage area={area} token={done.result.token} graceSeconds={Number(grace)} />,
        201,
      );
  }

  @Get(':key/revoke')
  async confirmRevocation(
    @Res() response: Response,
    @InArea() area: Area,
    @Param('key') id: string,
  ): Promise<void> {
    const lineage = await this.keys.get(refOf(area), apiKeyId(id));
    this.pages.send(response, <RevokePage area={area} lineage={lineage} />);
  }

  @Post(':key/revoke')
  async revoke(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('key') id: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const andDescendants = form.list('descendants').includes('yes');
    await this.revokeApiKey.byPerson(refOf(area), person, apiKeyId(id), { andDescendants });
    this.pages.redirect(response, `${settingsPath(area, `${area.mode}/api-keys`)}?notice=revoked`);
  }

  private sendCreation(response: Response, area: Area, form: FormInput): void {
    const page = <CreateApiKeyPage area={area} form={form} scopes={this.scopes.entries()} />;
    this.pages.send(response, page, form.isFaulty ? 422 : 200);
  }

  private async sendKey(response: Response, area: Area, id: ApiKeyId, form: FormInput): Promise<void> {
    const lineage = await this.keys.get(refOf(area), id);
    const makers = await this.makers.of(refOf(area), [lineage.key, ...lineage.descendants]);
    this.pages.send(
      response,
      <ApiKeyPage area={area} lineage={lineage} makers={makers} form={form} now={this.clock.now()} />,
      form.isFaulty ? 422 : 200,
    );
  }
}

function apiKeyId(text: string): ApiKeyId {
  const id = parseId('key', text);
  if (!id) throw new NotFound('API key');
  return id;
}
