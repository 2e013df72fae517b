import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Mailer } from '../../../kernel/mailer';
import { NotFound } from '../../../kernel/errors';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import * as fieldRules from '../../../platform/http/field-rules';
import { Cookies } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import { Passwords } from '../application/passwords';
import { visitorOf } from './signed-in';
import { DeadLinkPage, RequestResetPage, ResetPage, ResetRequestedPage } from './password-reset-pages';

/** Storing a link takes the database longer than finding no account: every request is answered after this time at the earliest. */
const ANSWER_MS = 300;

@Controller('password-reset')
@Pages()
export class PasswordResetController {
  constructor(
    private readonly passwords: Passwords,
    private readonly mailer: Mailer,
    private readonly cookies: Cookies,
    private readonly configuration: Configuration,
  ) {}

  @Get()
  show(): HtmlPage {
    return new HtmlPage(<RequestResetPage form={new FormInput()} mailReach={this.mailer.reach} />);
  }

  @Post()
  @Repeatable()
  async request(@Req() request: Request, @Submitted() form: FormInput): Promise<HtmlPage> {
    const email = form.text('email', fieldRules.email);
    const linkTo = (token: string) => addressOf(this.configuration.publicUrl, `/password-reset/${token}`);
    const isTime = sleep(ANSWER_MS);
    const done = await form.submit(() =>
      this.passwords.requestReset(email, visitorOf(request, this.cookies), linkTo),
    );
    request.res!.leaveTurn?.();
    await isTime;
    const { reach } = this.mailer;
    if (done && reach !== 'nowhere')
      return new HtmlPage(<ResetRequestedPage email={email} mailReach={reach} />);
    return new HtmlPage(<RequestResetPage form={form} mailReach={reach} />, done ? 200 : 422);
  }

  @Get(':token')
  showReset(@Param('token') token: string): Promise<HtmlPage> {
    return this.resetForm(token, new FormInput());
  }

  @Post(':token')
  async reset(@Param('token') token: string, @Submitted() form: FormInput): Promise<PageAnswer> {
    const password = form.text('password', fieldRules.anyText);
    try {
      const done = await form.submit(() => this.passwords.reset(token, password));
      if (done) return new Redirect('/sign-in?notice=password-reset');
      return await this.resetForm(token, form);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return new HtmlPage(<DeadLinkPage />, 404);
    }
  }

  private async resetForm(token: string, form: FormInput): Promise<HtmlPage> {
    const offer = await this.passwords.resetFor(token);
    if (!offer) return new HtmlPage(<DeadLinkPage />, 404);
    return new HtmlPage(
      <ResetPage form={form} action={`/password-reset/${encodeURIComponent(token)}`} offer={offer} />,
      form.isFaulty ? 422 : 200,
    );
  }
}
