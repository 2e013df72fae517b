import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Mailer } from '../../../kernel/mailer';
import { newSecretToken } from '../../../kernel/secret-token';
import * as fieldRules from '../../../platform/http/field-rules';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import { Cookies } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import { Passwords } from '../application/passwords';
import { Sessions } from '../application/sessions';
import type { User } from '../domain/user';
import { AccountPage } from './account-page';
import { SessionGuard, SignedInUser, visitorOf } from './signed-in';

@Controller('account')
@Pages({ visitor: [SessionGuard] })
export class AccountController {
  constructor(
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly mailer: Mailer,
    private readonly cookie: BrowserCookie,
    private readonly cookies: Cookies,
  ) {}

  @Get()
  show(@Req() request: Request, @SignedInUser() user: User): Promise<HtmlPage> {
    return this.overview(request, user, new FormInput());
  }

  @Post('password')
  async changePassword(
    @Req() request: Request,
    @SignedInUser() user: User,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const input = {
      current: form.text('current', fieldRules.anyText),
      next: form.text('next', fieldRules.anyText),
    };
    const secret = this.cookie.ensure(request);
    const done = await form.submit(() =>
      this.passwords.change(user, input, visitorOf(request, this.cookies), secret),
    );
    if (done) return new Redirect('/account?notice=password-changed');
    return this.overview(request, user, form);
  }

  @Post('sign-out-everywhere')
  @Repeatable()
  async signOutEverywhere(@SignedInUser() user: User): Promise<Redirect> {
    await this.sessions.endAll(user);
    const path = '/sign-in?notice=signed-out-everywhere';
    return new Redirect(path, [this.cookie.holding(newSecretToken())]);
  }

  private async overview(request: Request, user: User, form: FormInput): Promise<HtmlPage> {
    const sessions = await this.sessions.list(user, this.cookie.ensure(request));
    const notice = queryText(request, 'notice');
    const { reach } = this.mailer;
    const page = (
      <AccountPage user={user} form={form} mailReach={reach} sessions={sessions} notice={notice} />
    );
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }
}
