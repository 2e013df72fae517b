import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import * as fieldRules from '../../../platform/http/field-rules';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import { Cookies } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { type Proof, SecondFactor } from '../application/second-factor';
import type { User } from '../domain/user';
import { SessionGuard, SignedInUser, visitorOf } from './signed-in';
import { EnrolmentPage, ManagePage, RecoveryCodesPage, StartPage } from './two-factor-pages';

const PATH = '/account/two-factor';

@Controller('account/two-factor')
@Pages({ visitor: [SessionGuard] })
export class TwoFactorController {
  constructor(
    private readonly secondFactor: SecondFactor,
    private readonly cookie: BrowserCookie,
    private readonly cookies: Cookies,
  ) {}

  @Get()
  async show(@SignedInUser() user: User): Promise<HtmlPage> {
    if (user.hasSecondFactor) return this.management(user, {});
    return new HtmlPage(<StartPage user={user} form={new FormInput()} />);
  }

  /** Shows the secret only after the password was entered, and never once it is confirmed. */
  @Post('set-up')
  async enrol(
    @Req() request: Request,
    @SignedInUser() user: User,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    if (user.hasSecondFactor) return new Redirect(PATH);
    const password = passwordOf(form);
    const visitor = visitorOf(request, this.cookies);
    const done = await form.submit(() => this.secondFactor.enrol(user, password, visitor));
    const page = done ? (
      <EnrolmentPage user={user} enrolment={done.result} form={new FormInput()} />
    ) : (
      <StartPage user={user} form={form} />
    );
    return new HtmlPage(page, done ? 200 : 422);
  }

  @Post()
  async confirm(
    @Req() request: Request,
    @SignedInUser() user: User,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const secret = form.value('secret');
    const enrolment = await this.secondFactor.continueEnrolment(user, secret);
    if (!enrolment) return new Redirect(PATH);
    const code = codeOf(form);
    const browser = this.cookie.ensure(request);
    const done = await form.submit(() => this.secondFactor.confirm(user, { secret, code }, browser));
    if (done) return new HtmlPage(<RecoveryCodesPage user={user} codes={done.result} />);
    return new HtmlPage(<EnrolmentPage user={user} enrolment={enrolment} form={form} />, 422);
  }

  @Post('recovery-codes')
  async renewCodes(
    @Req() request: Request,
    @SignedInUser() user: User,
    @Submitted() renewal: FormInput,
  ): Promise<HtmlPage> {
    const proof = proofOf(renewal);
    const visitor = visitorOf(request, this.cookies);
    const browser = this.cookie.ensure(request);
    const done = await renewal.submit(() =>
      this.secondFactor.renewRecoveryCodes(user, proof, visitor, browser),
    );
    if (done) return new HtmlPage(<RecoveryCodesPage user={user} codes={done.result} />);
    return this.management(user, { renewal });
  }

  @Post('turn-off')
  async turnOff(
    @Req() request: Request,
    @SignedInUser() user: User,
    @Submitted() removal: FormInput,
  ): Promise<PageAnswer> {
    const proof = proofOf(removal);
    const visitor = visitorOf(request, this.cookies);
    const browser = this.cookie.ensure(request);
    const done = await removal.submit(() => this.secondFactor.turnOff(user, proof, visitor, browser));
    if (done) return new Redirect('/account?notice=two-factor-off');
    return this.management(user, { removal });
  }

  private async management(
    user: User,
    { renewal = new FormInput(), removal = new FormInput() }: { renewal?: FormInput; removal?: FormInput },
  ): Promise<HtmlPage> {
    const codesLeft = await this.secondFactor.recoveryCodesLeft(user);
    const page = <ManagePage user={user} codesLeft={codesLeft} renewal={renewal} removal={removal} />;
    return new HtmlPage(page, renewal.isFaulty || removal.isFaulty ? 422 : 200);
  }
}

function proofOf(form: FormInput): Proof {
  return { password: passwordOf(form), code: codeOf(form) };
}

function passwordOf(form: FormInput): string {
  return form.text('password', fieldRules.anyText);
}

function codeOf(form: FormInput): string {
  return form.text('code', fieldRules.text(100));
}
