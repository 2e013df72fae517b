import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Mailer } from '../../../kernel/mailer';
import { foldText } from '../../../kernel/text';
import { clientAddress } from '../../../platform/http/client-address';
import * as fieldRules from '../../../platform/http/field-rules';
import { Cookies } from '../../../platform/pages/cookies';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
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
import { AcceptInvitation, type InvitationOffer, Members } from '../../workspaces';
import { settingsPath } from './area';
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
  /** The link was in a mail to the invited address, and nowhere else. */
  isMailed: boolean;
  offer: InvitationOffer;
}

/** Where the link of an invitation leads. Who has no password yet chooses one here. */
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
    private readonly cookies: Cookies,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response, @Param('link') link: string): Promise<void> {
    const visit = await this.visitBy(link);
    if (!visit) this.pages.send(response, <DeadInvitationPage />, 404);
    else await this.sendOffer(request, response, { ...visit, form: new FormInput() });
  }

  @Post()
  async accept(
    @Req() request: Request,
    @Res() response: Response,
    @Param('link') link: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const visit = await this.visitBy(link);
    if (!visit) {
      this.pages.send(response, <DeadInvitationPage />, 404);
      return;
    }
    const step = await this.stepOf(request, visit);
    if (step === 'confirmEmail') {
      await this.mailConfirmation(visit);
      this.pages.send(response, <ConfirmationSentPage offer={visit.offer} mailReach={this.mailer.reach} />);
      return;
    }
    const user =
      step === 'choosePassword'
        ? await this.welcome(request, visit, form)
        : await this.browser.userOf(request);
    if (user) {
      const joined = await this.acceptInvitation.execute(visit.token, user, clientAddress(request));
      this.pages.redirect(response, settingsPath({ workspace: { id: joined.workspaceId } }));
    } else {
      await this.sendOffer(request, response, { ...visit, form });
    }
  }

  private async visitBy(link: string): Promise<Visit | undefined> {
    const read = this.links.read(link);
    const offer = await this.members.findInvitation(read.token);
    return offer && { ...read, offer };
  }

  /** What the visitor does next. Inviters see a link, too: with it alone nobody chooses the password of an address. */
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
    const link = this.pages.addressOf(this.links.mailed(token));
    this.mailer.post(
      invitationMail(offer, { link, inviter: offer.inviterEmail, workspace: offer.workspaceName }),
    );
  }

  /** Signs in someone new, by letting them choose a password. */
  private async welcome(
    request: Request,
    { offer: { email }, isMailed }: Visit,
    form: FormInput,
  ): Promise<User | undefined> {
    const password = form.text('password', fieldRules.anyText);
    const done = await form.submit(async () => {
      await this.accounts.findOrAdd(email);
      return this.passwords.chooseFirst(email, password, { provesEmail: isMailed });
    });
    const user = done?.result;
    if (user)
      await this.browser.remember(
        request,
        await this.signIn.start(user, visitorOf(request, this.cookies), false),
      );
    return user;
  }

  /** Whoever has an account signs in first; whoever is signed in as somebody else is told so. */
  private async sendOffer(
    request: Request,
    response: Response,
    { form, ...visit }: Visit & { form: FormInput },
  ): Promise<void> {
    const { token, isMailed, offer } = visit;
    const user = await this.browser.userOf(request);
    const path = isMailed ? this.links.mailed(token) : this.links.shown(token);
    const step = await this.stepOf(request, visit);
    if (user && foldText(user.email) !== foldText(offer.email)) {
      this.pages.send(response, <OtherAccountPage offer={offer} email={user.email} />, 403);
    } else if (step === 'signIn') {
      this.pages.redirect(response, signInPath({ method: 'GET', originalUrl: path }));
    } else {
      const { reach } = this.mailer;
      const page = <InvitationPage path={path} offer={offer} form={form} step={step} mailReach={reach} />;
      this.pages.send(response, page, form.isFaulty ? 422 : 200);
    }
  }

  /**
   * Inviters see the link, too: it mustn't let them into what belongs to the invited already, such as a workspace whose
   * owner is yet to choose a password with the operator's link.
   */
  private async hasAccount(email: string): Promise<boolean> {
    const account = await this.accounts.find(email);
    return !!account && (account.hasPassword || (await this.members.workspacesOf(account.id)).length > 0);
  }
}
