import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import { type ApiKeyId, parseId } from '../../../kernel/ids';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import * as fieldRules from '../../../platform/http/field-rules';
import { WaitsAtItsEnd } from '../../../platform/http/waits-at-its-end.decorator';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, listRequest, refOf, SettingsPages, settingsPath } from '../../shell';
import { CreateApiKey } from '../application/create-api-key';
import { RevokeApiKey } from '../application/revoke-api-key';
import { RotateApiKey } from '../application/rotate-api-key';
import { WorkspaceApiKeys } from '../application/workspace-api-keys';
import { ApiKeyPage, NewKeyPage, RevokePage } from './api-key-page';
import { ApiKeysPage } from './api-keys-page';
import { CreateApiKeyPage, GRACE_PERIODS, LIFETIMES } from './create-api-key-page';
import { KeyMakers } from './key-makers';

const DAY_MS = 86_400_000;

/** Settings → Integrations → API keys. */
@Controller('settings/:workspace/:mode/api-keys')
@SettingsPages('admin')
export class ApiKeyPagesController {
  constructor(
    private readonly keys: WorkspaceApiKeys,
    private readonly createApiKey: CreateApiKey,
    private readonly rotateApiKey: RotateApiKey,
    private readonly revokeApiKey: RevokeApiKey,
    private readonly makers: KeyMakers,
    private readonly scopes: ScopeRegistry,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
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
    return new HtmlPage(
      <ApiKeysPage
        area={area}
        keys={data}
        makers={await this.makers.of(refOf(area), data)}
        words={new Map(this.scopes.entries())}
        now={this.clock.now()}
        nextCursor={pagination.nextCursor}
        notice={queryText(request, 'notice')}
      />,
    );
  }

  @Get('new')
  showCreation(@InArea() area: Area): HtmlPage {
    return this.creation(area, new FormInput());
  }

  /** Shows the key in the response itself: a redirect would need it in an address or in the database. */
  @Post()
  async create(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<HtmlPage> {
    const name = form.text('name', fieldRules.text(100));
    if (form.list('scopes').length === 0) {
      form.problems.push({ field: 'scopes', message: 'Choose at least one permission' });
    }
    const days = form.optional('lifetime', fieldRules.oneOf(LIFETIMES.map(({ value }) => value)));
    const expiresAt = days ? new Date(this.clock.now().getTime() + Number(days) * DAY_MS) : null;
    const input = { name, scopes: form.list('scopes'), expiresAt };
    const done = await form.submit(() => this.createApiKey.byPerson(refOf(area), person, input));
    if (!done) return this.creation(area, form);
    return new HtmlPage(<NewKeyPage area={area} token={done.result.token} />, 201);
  }

  @Get(':key')
  show(@InArea() area: Area, @Param('key') id: string): Promise<HtmlPage> {
    return this.key(area, apiKeyId(id), new FormInput({ grace: '86400' }));
  }

  @Post(':key/rotate')
  @WaitsAtItsEnd()
  async rotate(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('key') id: string,
    @Submitted() form: FormInput,
  ): Promise<HtmlPage> {
    const grace = form.text('grace', fieldRules.oneOf(GRACE_PERIODS.map(({ value }) => value)));
    const done = await form.submit(() =>
      this.rotateApiKey.byPerson(refOf(area), person, apiKeyId(id), Number(grace)),
    );
    if (!done) return this.key(area, apiKeyId(id), form);
    return new HtmlPage(
      <NewKeyPage area={area} token={done.result.token} graceSeconds={Number(grace)} />,
      201,
    );
  }

  @Get(':key/revoke')
  async confirmRevocation(@InArea() area: Area, @Param('key') id: string): Promise<HtmlPage> {
    const lineage = await this.keys.get(refOf(area), apiKeyId(id));
    return new HtmlPage(<RevokePage area={area} lineage={lineage} />);
  }

  @Post(':key/revoke')
  @WaitsAtItsEnd()
  async revoke(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('key') id: string,
    @Submitted() form: FormInput,
  ): Promise<Redirect> {
    const andDescendants = form.list('descendants').includes('yes');
    await this.revokeApiKey.byPerson(refOf(area), person, apiKeyId(id), { andDescendants });
    return new Redirect(`${settingsPath(area, `${area.mode}/api-keys`)}?notice=revoked`);
  }

  private creation(area: Area, form: FormInput): HtmlPage {
    const page = <CreateApiKeyPage area={area} form={form} scopes={this.scopes.entries()} />;
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  private async key(area: Area, id: ApiKeyId, form: FormInput): Promise<HtmlPage> {
    const lineage = await this.keys.get(refOf(area), id);
    const makers = await this.makers.of(refOf(area), [lineage.key, ...lineage.descendants]);
    return new HtmlPage(
      <ApiKeyPage
        words={new Map(this.scopes.entries())}
        area={area}
        lineage={lineage}
        makers={makers}
        form={form}
        now={this.clock.now()}
      />,
      form.isFaulty ? 422 : 200,
    );
  }
}

function apiKeyId(text: string): ApiKeyId {
  const id = parseId('key', text);
  if (!id) throw new NotFound('API key');
  return id;
}
