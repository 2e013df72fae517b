import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Mailer } from '../../../kernel/mailer';
import { newSecretToken } from '../../../kernel/secret-token';
import * as fieldRules from '../../../platform/http/field-rules';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import { Cookies } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { queryText } from '../../../platform/pages/query-text';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
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
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async show(@Res() response: Response, @SignedInUser() user: User): Promise<void> {
    await this.send(response, user, new FormInput(), 200);
  }

  @Post('password')
  async changePassword(
    @Req() request: Request,
    @Res() response: Response,
    @SignedInUser() user: User,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const wish = {
      current: form.text('current', fieldRules.anyText),
      next: form.text('next', fieldRules.anyText),
    };
    const secret = this.cookie.ensure(request);
    const done = await form.submit(() =>
      this.passwords.change(user, wish, visitorOf(request, this.cookies), secret),
    );
    if (done) this.pages.redirect(response, '/account?notice=password-changed');
    else await this.send(response, user, form, 422);
  }

  @Post('sign-out-everywhere')
  async signOutEverywhere(
    @Req() request: Request,
    @Res() response: Response,
    @SignedInUser() user: User,
  ): Promise<void> {
    await this.sessions.endAll(user);
    this.cookie.replace(request, newSecretToken());
    this.pages.redirect(response, '/sign-in?notice=signed-out-everywhere');
  }

  private async send(response: Response, user: User, form: FormInput, status: number): Promise<void> {
    const sessions = await this.sessions.list(user, this.cookie.ensure(response.req));
    const notice = queryText(response.req, 'notice');
    const { reach } = this.mailer;
    const page = (
      <AccountPage user={user} form={form} mailReach={reach} sessions={sessions} notice={notice} />
    );
    this.pages.send(response, page, status);
  }
}
