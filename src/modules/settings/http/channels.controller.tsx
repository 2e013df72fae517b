import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { CONSENT_LANGUAGES, ManageChannel } from '../../messages';
import { type Area, InArea, refOf, settingsPath, SettingsPages } from './area';
import { ChannelsPage, ConnectChannelPage, DisconnectChannelPage } from './channels-pages';

const digits: fieldRules.Rule = (value) =>
  /^\d{5,30}$/.test(value as string) ? undefined : 'must be a number of 5 to 30 digits';

const LANGUAGES: readonly string[] = CONSENT_LANGUAGES.map(({ code }) => code);

/** Settings → Integrations → Channels. Test mode has the simulator, and nothing to connect. */
@Controller('settings/:workspace/:mode/channels')
@SettingsPages('admin')
export class ChannelsController {
  constructor(
    private readonly channel: ManageChannel,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response, @InArea() area: Area): Promise<void> {
    await this.sendOverview(response, area, { notice: queryText(request, 'notice') });
  }

  @Get('connect')
  showConnecting(@Res() response: Response, @InArea() area: Area): void {
    refuseInTestMode(area);
    this.pages.send(response, <ConnectChannelPage area={area} form={new FormInput()} />);
  }

  @Post('connect')
  async connect(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<void> {
    refuseInTestMode(area);
    const credentials = {
      phoneNumberId: form.text('phoneNumberId', digits),
      businessAccountId: form.text('businessAccountId', digits),
      accessToken: form.text('accessToken', token(2000)),
      appSecret: form.text('appSecret', token(200)),
    };
    const done = await form.submit(() => this.channel.connect(refOf(area), person, credentials));
    if (done) this.back(response, area, 'connected');
    else this.pages.send(response, <ConnectChannelPage area={area} form={form} />, 422);
  }

  @Post('test')
  async test(@Res() response: Response, @InArea() area: Area): Promise<void> {
    refuseInTestMode(area);
    await this.answer(response, area, 'works', () => this.channel.test(refOf(area)));
  }

  @Post('templates')
  async refreshTemplates(@Res() response: Response, @InArea() area: Area): Promise<void> {
    refuseInTestMode(area);
    await this.answer(response, area, 'refreshed', () => this.channel.refreshTemplates(refOf(area)));
  }

  @Post('conversations')
  async changeConversations(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const settings = {
      languages: form.list('languages').filter((code) => LANGUAGES.includes(code)),
      createsLeads: form.list('createsLeads').includes('yes'),
    };
    await this.channel.changeSettings(refOf(area), person, settings);
    this.back(response, area, 'saved');
  }

  @Get('disconnect')
  async confirmDisconnecting(@Res() response: Response, @InArea() area: Area): Promise<void> {
    const connection = await this.channel.find(refOf(area));
    if (!connection) throw new NotFound('channel');
    this.pages.send(response, <DisconnectChannelPage area={area} connection={connection} />);
  }

  @Post('disconnect')
  async disconnect(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
  ): Promise<void> {
    await this.channel.disconnect(refOf(area), person);
    this.back(response, area, 'disconnected');
  }

  /** What the provider finds wrong is told on the page itself. */
  private async answer(
    response: Response,
    area: Area,
    notice: string,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const form = new FormInput();
    if (await form.submit(work)) this.back(response, area, notice);
    else await this.sendOverview(response, area, { problem: form.problems[0]!.message });
  }

  private async sendOverview(
    response: Response,
    area: Area,
    { notice, problem }: { notice?: string; problem?: string },
  ): Promise<void> {
    const ref = refOf(area);
    const connection = await this.channel.find(ref);
    const { languages, createsLeads } = await this.channel.getSettings(ref);
    this.pages.send(
      response,
      <ChannelsPage
        area={area}
        connection={connection}
        callbackUrl={connection && this.pages.addressOf(`/channels/whatsapp/${connection.id}`)}
        templates={await this.channel.listTemplates(ref)}
        form={new FormInput({ languages: [...languages], createsLeads: createsLeads ? 'yes' : undefined })}
        notice={notice}
        problem={problem}
      />,
      problem === undefined ? 200 : 422,
    );
  }

  private back(response: Response, area: Area, notice: string): void {
    this.pages.redirect(response, `${settingsPath(area, `${area.mode}/channels`)}?notice=${notice}`);
  }
}

/** One word: what is pasted with a line break or a space in it would only be refused by the provider, in worse words. */
function token(max: number): fieldRules.Rule {
  return fieldRules.all(fieldRules.text(max), (value) =>
    /^[\x21-\x7e]+$/.test(value as string) ? undefined : 'must not hold spaces or line breaks',
  );
}

function refuseInTestMode({ mode }: Area): void {
  if (mode === 'test') throw new NotFound('page');
}
