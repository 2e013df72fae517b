import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import * as fieldRules from '../../../platform/http/field-rules';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import { FormInput } from '../../../platform/pages/form-input';
import { Cookies } from '../../../platform/pages/cookies';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { Sessions } from '../application/sessions';
import { SignIn } from '../application/sign-in';
import { newSecretToken } from '../../../kernel/secret-token';
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
    private readonly pages: PageRenderer,
  ) {}

  @Get('sign-in')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = new FormInput(request.query as Record<string, string>);
    const session = await this.sessionOf(request);
    if (session && !session.awaitsSecondFactor) {
      this.pages.redirect(response, returnPath(form.value('return')));
    } else {
      this.pages.send(response, <SignInPage form={form} notice={form.value('notice')} />);
    }
  }

  @Post('sign-in')
  async submit(
    @Req() request: Request,
    @Res() response: Response,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const email = form.text('email', fieldRules.email);
    const password = form.text('password', fieldRules.anyText);
    const done = await form.submit(() =>
      this.signIn.withPassword(email, password, visitorOf(request, this.cookies)),
    );
    if (!done) {
      this.pages.send(response, <SignInPage form={form} />, 422);
      return;
    }
    await this.browser.remember(request, done.result);
    const next = returnPath(form.value('return'));
    const path = done.result.awaitsSecondFactor ? `/sign-in/code?return=${encodeURIComponent(next)}` : next;
    this.pages.redirect(response, path);
  }

  @Get('sign-in/code')
  async showCode(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = await this.sessionOf(request);
    if (!session?.awaitsSecondFactor) {
      this.pages.redirect(response, session ? '/settings' : '/sign-in');
      return;
    }
    const form = new FormInput(request.query as Record<string, string>);
    this.pages.send(response, <SecondFactorPage form={form} />);
  }

  @Post('sign-in/code')
  async submitCode(
    @Req() request: Request,
    @Res() response: Response,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const code = form.text('code', fieldRules.text(100));
    const secret = this.cookie.ensure(request);
    const done = await form.submit(() =>
      this.signIn.withCode(secret, code, visitorOf(request, this.cookies)),
    );
    if (!done) {
      this.pages.send(response, <SecondFactorPage form={form} />, 422);
    } else if (!done.result) {
      this.pages.redirect(response, '/sign-in?notice=too-late');
    } else {
      await this.browser.remember(request, done.result);
      this.pages.redirect(response, returnPath(form.value('return')));
    }
  }

  @Post('sign-out')
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.sessions.end(this.cookie.ensure(request));
    this.cookie.replace(request, newSecretToken());
    this.pages.redirect(response, '/sign-in?notice=signed-out');
  }

  private async sessionOf(request: Request) {
    const secret = this.cookie.read(request);
    return secret ? (await this.sessions.find(secret))?.session : undefined;
  }
}
