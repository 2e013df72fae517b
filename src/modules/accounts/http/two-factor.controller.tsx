import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import * as fieldRules from '../../../platform/http/field-rules';
import { Cookies } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { SecondFactor } from '../application/second-factor';
import type { User } from '../domain/user';
import { SessionGuard, SignedInUser, visitorOf } from './signed-in';
import { EnrolmentPage, ManagePage, RecoveryCodesPage } from './two-factor-pages';

@Controller('account/two-factor')
@Pages({ visitor: [SessionGuard] })
export class TwoFactorController {
  constructor(
    private readonly secondFactor: SecondFactor,
    private readonly cookies: Cookies,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async show(@Res() response: Response, @SignedInUser() user: User): Promise<void> {
    if (user.hasSecondFactor) await this.sendManagement(response, user, {});
    else await this.sendEnrolment(response, user, new FormInput(), 200);
  }

  @Post()
  async confirm(
    @Res() response: Response,
    @SignedInUser() user: User,
    @Submitted() form: FormInput,
  ): Promise<void> {
    if (user.hasSecondFactor) {
      this.pages.redirect(response, '/account/two-factor');
      return;
    }
    const code = codeOf(form);
    const done = await form.submit(() => this.secondFactor.confirm(user, code));
    if (done) this.pages.send(response, <RecoveryCodesPage user={user} codes={done.result} />);
    else await this.sendEnrolment(response, user, form, 422);
  }

  @Post('recovery-codes')
  async renewCodes(
    @Req() request: Request,
    @Res() response: Response,
    @SignedInUser() user: User,
    @Submitted() renewal: FormInput,
  ): Promise<void> {
    const code = codeOf(renewal);
    const visitor = visitorOf(request, this.cookies);
    const done = await renewal.submit(() => this.secondFactor.renewRecoveryCodes(user, code, visitor));
    if (done) this.pages.send(response, <RecoveryCodesPage user={user} codes={done.result} />);
    else await this.sendManagement(response, user, { renewal });
  }

  @Post('turn-off')
  async turnOff(
    @Req() request: Request,
    @Res() response: Response,
    @SignedInUser() user: User,
    @Submitted() removal: FormInput,
  ): Promise<void> {
    const code = codeOf(removal);
    const visitor = visitorOf(request, this.cookies);
    const done = await removal.submit(() => this.secondFactor.turnOff(user, code, visitor));
    if (done) this.pages.redirect(response, '/account?notice=two-factor-off');
    else await this.sendManagement(response, user, { removal });
  }

  private async sendEnrolment(
    response: Response,
    user: User,
    form: FormInput,
    status: number,
  ): Promise<void> {
    const enrolment = await this.secondFactor.enrol(user);
    this.pages.send(response, <EnrolmentPage user={user} enrolment={enrolment} form={form} />, status);
  }

  private async sendManagement(
    response: Response,
    user: User,
    { renewal = new FormInput(), removal = new FormInput() }: { renewal?: FormInput; removal?: FormInput },
  ): Promise<void> {
    const codesLeft = await this.secondFactor.recoveryCodesLeft(user);
    const page = <ManagePage user={user} codesLeft={codesLeft} renewal={renewal} removal={removal} />;
    this.pages.send(response, page, renewal.isFaulty || removal.isFaulty ? 422 : 200);
  }
}

function codeOf(form: FormInput): string {
  return form.text('code', fieldRules.text(100));
}
