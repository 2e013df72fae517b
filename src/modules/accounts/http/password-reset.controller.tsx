import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Mailer } from '../../../kernel/mailer';
import { NotFound } from '../../../kernel/errors';
import * as fieldRules from '../../../platform/http/field-rules';
import { Cookies } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { Passwords } from '../application/passwords';
import { visitorOf } from './signed-in';
import { DeadLinkPage, RequestResetPage, ResetPage, ResetRequestedPage } from './password-reset-pages';

@Controller('password-reset')
@Pages()
export class PasswordResetController {
  constructor(
    private readonly passwords: Passwords,
    private readonly mailer: Mailer,
    private readonly cookies: Cookies,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  show(@Res() response: Response): void {
    this.pages.send(response, <RequestResetPage form={new FormInput()} mailReach={this.mailer.reach} />);
  }

  @Post()
  async request(
    @Req() request: Request,
    @Res() response: Response,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const email = form.text('email', fieldRules.email);
    const linkTo = (token: string) => this.pages.addressOf(`/password-reset/${token}`);
    const done = await form.submit(() =>
      this.passwords.requestReset(email, visitorOf(request, this.cookies), linkTo),
    );
    const { reach } = this.mailer;
    if (done && reach !== 'nowhere')
      this.pages.send(response, <ResetRequestedPage email={email} mailReach={reach} />);
    else this.pages.send(response, <RequestResetPage form={form} mailReach={reach} />, done ? 200 : 422);
  }

  @Get(':token')
  async showReset(@Res() response: Response, @Param('token') token: string): Promise<void> {
    await this.showForm(response, token, new FormInput(), 200);
  }

  @Post(':token')
  async reset(
    @Res() response: Response,
    @Param('token') token: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const password = form.text('password', fieldRules.anyText);
    try {
      const done = await form.submit(() => this.passwords.reset(token, password));
      if (done) this.pages.redirect(response, '/sign-in?notice=password-reset');
      else await this.showForm(response, token, form, 422);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      this.pages.send(response, <DeadLinkPage />, 404);
    }
  }

  private async showForm(response: Response, token: string, form: FormInput, status: number): Promise<void> {
    const offer = await this.passwords.resetFor(token);
    if (offer)
      this.pages.send(
        response,
        <ResetPage form={form} action={`/password-reset/${encodeURIComponent(token)}`} offer={offer} />,
        status,
      );
    else this.pages.send(response, <DeadLinkPage />, 404);
  }
}
