import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { MailQueue } from '../../../kernel/mail-queue';
import { Mailer } from '../../../kernel/mailer';
import { foldText } from '../../../kernel/text';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { clientAddress } from '../../../platform/http/client-address';
import * as fieldRules from '../../../platform/http/field-rules';
import { Cookies, type SetCookie } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import {
  Accounts,
  Passwords,
  SignedInBrowser,
  SignIn,
  signInPath,
  type User,
  visitorOf,
} from '../../accounts';
import { settingsPath } from '../../shell';
import { AcceptInvitation } from '../application/accept-invitation';
import { type InvitationOffer, Members } from '../application/members';
import { InvitationLinks } from './invitation-links';
import { invitationMail } from './invitation-mail';
import {
  ConfirmationSentPage,
  DeadInvitationPage,
  InvitationPage,
  OtherAccountPage,
} from './invitation-pages';

interface Visit {
  token: string;
  /** Whether the visitor came by the emailed link, which is shown nowhere else. */
  isMailed: boolean;
  offer: InvitationOffer;
}

/** The page behind an invitation link. People without a password choose one here. */
@Controller('invitations/:link')
@Pages()
export class InvitationController {
  constructor(
    private readonly members: Members,
    private readonly acceptInvitation: AcceptInvitation,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly signIn: SignIn,
    private readonly browser: SignedInBrowser,
    private readonly links: InvitationLinks,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
    private readonly cookies: Cookies,
    private readonly configuration: Configuration,
  ) {}

  @Get()
  async show(@Req() request: Request, @Param('link') link: string): Promise<PageAnswer> {
    const visit = await this.visitBy(link);
    if (!visit) return new HtmlPage(<DeadInvitationPage />, 404);
    return this.offer(request, { ...visit, form: new FormInput() });
  }

  @Post()
  async accept(
    @Req() request: Request,
    @Param('link') link: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const visit = await this.visitBy(link);
    if (!visit) return new HtmlPage(<DeadInvitationPage />, 404);
    const step = await this.stepOf(request, visit);
    if (step === 'confirmEmail') {
      await this.mailConfirmation(visit);
      return new HtmlPage(<ConfirmationSentPage offer={visit.offer} mailReach={this.mailer.reach} />);
    }
    const isNew = step === 'choosePassword';
    const user = isNew ? await this.welcome(visit, form) : await this.browser.userOf(request);
    if (!user) return this.offer(request, { ...visit, form });
    const { workspaceId } = await this.acceptInvitation.execute(visit.token, user, clientAddress(request));
    const cookies = isNew ? await this.signInAs(user, request) : [];
    return new Redirect(settingsPath({ workspace: { id: workspaceId } }), cookies);
  }

  private async visitBy(link: string): Promise<Visit | undefined> {
    const read = this.links.read(link);
    const offer = await this.members.findInvitation(read.token);
    return offer && { ...read, offer };
  }

  /** The visitor's next step. Inviters also see a link, so that link alone doesn't let anyone choose a password for the address. */
  private async stepOf(
    request: Request,
    { isMailed, offer }: Visit,
  ): Promise<'join' | 'signIn' | 'choosePassword' | 'confirmEmail'> {
    if (await this.browser.userOf(request)) return 'join';
    if (await this.hasAccount(offer.email)) return 'signIn';
    return isMailed || !this.mailer.canSend ? 'choosePassword' : 'confirmEmail';
  }

  private async mailConfirmation({ token, offer }: Visit): Promise<void> {
    await this.accounts.refuseTooManyMails(offer.email);
    const link = addressOf(this.configuration.publicUrl, this.links.mailed(token));
    const context = { link, inviter: offer.inviterEmail, workspace: offer.workspaceName };
    await this.mails.add(invitationMail(offer, context), { expiresAt: offer.expiresAt });
  }

  /** Sets the first password of someone new. */
  private async welcome({ offer: { email }, isMailed }: Visit, form: FormInput): Promise<User | undefined> {
    const password = form.text('password', fieldRules.anyText);
    const done = await form.submit(async () => {
      await this.accounts.findOrAdd(email);
      return this.passwords.chooseFirst(email, password, { provesEmail: isMailed });
    });
    return done?.result;
  }

  private async signInAs(user: User, request: Request): Promise<SetCookie[]> {
    const visitor = visitorOf(request, this.cookies);
    return this.browser.remember(request, await this.signIn.start(user, visitor, false));
  }

  /** People with an account sign in first. Visitors signed in with another address are told to sign out. */
  private async offer(
    request: Request,
    { form, ...visit }: Visit & { form: FormInput },
  ): Promise<PageAnswer> {
    const { token, isMailed, offer } = visit;
    const user = await this.browser.userOf(request);
    const path = isMailed ? this.links.mailed(token) : this.links.shown(token);
    const step = await this.stepOf(request, visit);
    if (user && foldText(user.email) !== foldText(offer.email)) {
      return new HtmlPage(<OtherAccountPage offer={offer} email={user.email} />, 403);
    }
    if (step === 'signIn') return new Redirect(signInPath({ method: 'GET', originalUrl: path }));
    const { reach } = this.mailer;
    const page = <InvitationPage path={path} offer={offer} form={form} step={step} mailReach={reach} />;
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  /**
   * Members of a workspace count as having an account even before they chose a password. Otherwise the inviter, who also sees the
   * link, could take over the account of an owner who has yet to use the link of the server administrator.
   */
  private async hasAccount(email: string): Promise<boolean> {
    const account = await this.accounts.find(email);
    return !!account && (account.hasPassword || (await this.members.workspacesOf(account.id)).length > 0);
  }
}
