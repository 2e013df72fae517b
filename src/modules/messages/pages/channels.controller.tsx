import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages, settingsPath } from '../../shell';
import { ManageChannel } from '../application/manage-channel';
import { CONSENT_LANGUAGES } from '../domain/consent-words';
import { ChannelsPage, ConnectChannelPage, DisconnectChannelPage } from './channels-pages';

const digits: fieldRules.ValueCheck = (value) =>
  /^\d{5,30}$/.test(value as string) ? undefined : 'must be a number of 5 to 30 digits';

const LANGUAGES: readonly string[] = CONSENT_LANGUAGES.map(({ code }) => code);

/** Settings → Integrations → Channels. Test mode has the simulator, and nothing to connect. */
@Controller('settings/:workspace/:mode/channels')
@SettingsPages('admin')
export class ChannelsController {
  constructor(
    private readonly channel: ManageChannel,
    private readonly configuration: Configuration,
  ) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return this.overview(area, { notice: queryText(request, 'notice') });
  }

  @Get('connect')
  showConnecting(@InArea() area: Area): HtmlPage {
    refuseInTestMode(area);
    return new HtmlPage(<ConnectChannelPage area={area} form={new FormInput()} />);
  }

  @Post('connect')
  @Repeatable()
  async connect(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    refuseInTestMode(area);
    const credentials = {
      phoneNumberId: form.text('phoneNumberId', digits),
      businessAccountId: form.text('businessAccountId', digits),
      accessToken: form.text('accessToken', token(2000)),
      appSecret: form.text('appSecret', token(200)),
    };
    const done = await form.submit(() => this.channel.connect(refOf(area), person, credentials));
    if (done) return backTo(area, 'connected');
    return new HtmlPage(<ConnectChannelPage area={area} form={form} />, 422);
  }

  @Post('test')
  @Repeatable()
  test(@InArea() area: Area): Promise<PageAnswer> {
    refuseInTestMode(area);
    return this.answer(area, 'works', () => this.channel.test(refOf(area)));
  }

  @Post('templates')
  @Repeatable()
  refreshTemplates(@InArea() area: Area): Promise<PageAnswer> {
    refuseInTestMode(area);
    return this.answer(area, 'refreshed', () => this.channel.refreshTemplates(refOf(area)));
  }

  @Post('conversations')
  async changeConversations(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<Redirect> {
    const settings = {
      languages: form.list('languages').filter((code) => LANGUAGES.includes(code)),
      createsLeads: form.list('createsLeads').includes('yes'),
    };
    await this.channel.changeSettings(refOf(area), person, settings);
    return backTo(area, 'saved');
  }

  @Get('disconnect')
  async confirmDisconnecting(@InArea() area: Area): Promise<HtmlPage> {
    const connection = await this.channel.find(refOf(area));
    if (!connection) throw new NotFound('channel');
    return new HtmlPage(<DisconnectChannelPage area={area} connection={connection} />);
  }

  @Post('disconnect')
  async disconnect(@InArea() area: Area, @SignedInPerson() person: Person): Promise<Redirect> {
    await this.channel.disconnect(refOf(area), person);
    return backTo(area, 'disconnected');
  }

  /** Shows problems that the provider reports on the page itself. */
  private async answer(area: Area, notice: string, work: () => Promise<unknown>): Promise<PageAnswer> {
    const form = new FormInput();
    if (await form.submit(work)) return backTo(area, notice);
    return this.overview(area, { problem: form.problems[0]!.message });
  }

  private async overview(
    area: Area,
    { notice, problem }: { notice?: string; problem?: string },
  ): Promise<HtmlPage> {
    const { publicUrl } = this.configuration;
    const ref = refOf(area);
    const connection = await this.channel.find(ref);
    const { languages, createsLeads } = await this.channel.getSettings(ref);
    return new HtmlPage(
      <ChannelsPage
        area={area}
        connection={connection}
        callbackUrl={connection && addressOf(publicUrl, `/channels/whatsapp/${connection.id}`)}
        templates={await this.channel.listTemplates(ref)}
        form={new FormInput({ languages: [...languages], createsLeads: createsLeads ? 'yes' : undefined })}
        notice={notice}
        problem={problem}
      />,
      problem === undefined ? 200 : 422,
    );
  }
}

function backTo(area: Area, notice: string): Redirect {
  return new Redirect(`${settingsPath(area, `${area.mode}/channels`)}?notice=${notice}`);
}

/** Refuses tokens pasted with a space or line break here, with a clearer message than the provider's. */
function token(max: number): fieldRules.Rule {
  return fieldRules.all(fieldRules.text(max), (value) =>
    /^[\x21-\x7e]+$/.test(value as string) ? undefined : 'must not contain spaces or line breaks',
  );
}

function refuseInTestMode({ mode }: Area): void {
  if (mode === 'test') throw new NotFound('page');
}
