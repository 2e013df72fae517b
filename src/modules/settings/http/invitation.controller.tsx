import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
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
import { DeadInvitationPage, InvitationPage, OtherAccountPage } from './invitation-pages';

/** Where the link of an invitation leads. Who has no password yet chooses one here. */
@Controller('invitations/:token')
@Pages()
export class InvitationController {
  constructor(
    private readonly members: Members,
    private readonly acceptInvitation: AcceptInvitation,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly signIn: SignIn,
    private readonly browser: SignedInBrowser,
    private readonly cookies: Cookies,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async show(
    @Req() request: Request,
    @Res() response: Response,
    @Param('token') token: string,
  ): Promise<void> {
    const offer = await this.members.findInvitation(token);
    if (!offer) this.pages.send(response, <DeadInvitationPage />, 404);
    else await this.sendOffer(request, response, { token, offer, form: new FormInput() });
  }

  @Post()
  async accept(
    @Req() request: Request,
    @Res() response: Response,
    @Param('token') token: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const offer = await this.members.findInvitation(token);
    if (!offer) {
      this.pages.send(response, <DeadInvitationPage />, 404);
      return;
    }
    const user = (await this.browser.userOf(request)) ?? (await this.welcome(request, offer, form));
    if (user) {
      const joined = await this.acceptInvitation.execute(token, user, clientAddress(request));
      this.pages.redirect(response, settingsPath({ workspace: { id: joined.workspaceId } }));
    } else {
      await this.sendOffer(request, response, { token, offer, form });
    }
  }

  /** Signs in someone new, by letting them choose a password. */
  private async welcome(
    request: Request,
    { email }: InvitationOffer,
    form: FormInput,
  ): Promise<User | undefined> {
    if (await this.hasAccount(email)) return undefined;
    const password = form.text('password', fieldRules.anyText);
    const done = await form.submit(async () => {
      await this.accounts.findOrAdd(email);
      return this.passwords.chooseFirst(email, password);
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
    { token, offer, form }: { token: string; offer: InvitationOffer; form: FormInput },
  ): Promise<void> {
    const user = await this.browser.userOf(request);
    if (user && foldText(user.email) !== foldText(offer.email)) {
      this.pages.send(response, <OtherAccountPage offer={offer} email={user.email} />, 403);
    } else if (!user && (await this.hasAccount(offer.email))) {
      this.pages.redirect(response, signInPath({ method: 'GET', originalUrl: `/invitations/${token}` }));
    } else {
      const status = form.isFaulty ? 422 : 200;
      const page = <InvitationPage token={token} offer={offer} form={form} choosesPassword={!user} />;
      this.pages.send(response, page, status);
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
