import { Controller, Get, Post, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import * as fieldRules from '../../../platform/http/field-rules';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import { FormInput } from '../../../platform/pages/form-input';
import { Cookies } from '../../../platform/pages/cookies';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import { newSecretToken } from '../../../kernel/secret-token';
import { Sessions } from '../application/sessions';
import { SignIn } from '../application/sign-in';
import { nextAfterSignIn, RepeatedSignInFilter } from './repeated-sign-in.filter';
import { returnPath } from './return-path';
import { SecondFactorPage, SignInPage } from './sign-in-pages';
import { SignedInBrowser } from './signed-in-browser';
import { visitorOf } from './signed-in';

@Controller()
@Pages()
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly browser: SignedInBrowser,
    private readonly cookie: BrowserCookie,
    private readonly cookies: Cookies,
  ) {}

  @Get('sign-in')
  async show(@Req() request: Request): Promise<PageAnswer> {
    const form = new FormInput(request.query as Record<string, string>);
    const session = await this.sessionOf(request);
    if (session && !session.awaitsSecondFactor) {
      return new Redirect(returnPath(form.value('return')));
    }
    return new HtmlPage(<SignInPage form={form} notice={form.value('notice')} />);
  }

  @Post('sign-in')
  @UseFilters(RepeatedSignInFilter)
  @Repeatable()
  async submit(@Req() request: Request, @Submitted() form: FormInput): Promise<PageAnswer> {
    const email = form.text('email', fieldRules.email);
    const password = form.text('password', fieldRules.anyText);
    const done = await form.submit(() =>
      this.signIn.withPassword(email, password, visitorOf(request, this.cookies)),
    );
    if (!done) return new HtmlPage(<SignInPage form={form} />, 422);
    const cookies = await this.browser.remember(request, done.result);
    return new Redirect(nextAfterSignIn(done.result, form.value('return')), cookies);
  }

  @Get('sign-in/code')
  async showCode(@Req() request: Request): Promise<PageAnswer> {
    const session = await this.sessionOf(request);
    if (!session?.awaitsSecondFactor) return new Redirect(session ? '/settings' : '/sign-in');
    const form = new FormInput(request.query as Record<string, string>);
    return new HtmlPage(<SecondFactorPage form={form} />);
  }

  @Post('sign-in/code')
  @UseFilters(RepeatedSignInFilter)
  async submitCode(@Req() request: Request, @Submitted() form: FormInput): Promise<PageAnswer> {
    const code = form.text('code', fieldRules.text(100));
    const secret = this.cookie.ensure(request);
    const done = await form.submit(() =>
      this.signIn.withCode(secret, code, visitorOf(request, this.cookies)),
    );
    if (!done) return new HtmlPage(<SecondFactorPage form={form} />, 422);
    if (!done.result) return new Redirect('/sign-in?notice=too-late');
    const cookies = await this.browser.remember(request, done.result);
    return new Redirect(returnPath(form.value('return')), cookies);
  }

  @Post('sign-out')
  @UseFilters(RepeatedSignInFilter)
  @Repeatable()
  async signOut(@Req() request: Request): Promise<Redirect> {
    await this.sessions.end(this.cookie.ensure(request));
    return new Redirect('/sign-in?notice=signed-out', [this.cookie.holding(newSecretToken())]);
  }

  private async sessionOf(request: Request) {
    const secret = this.cookie.read(request);
    return secret ? (await this.sessions.find(secret))?.session : undefined;
  }
}
