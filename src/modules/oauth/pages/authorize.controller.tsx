import { Controller, Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { parseId } from '../../../kernel/ids';
import { MODES } from '../../../kernel/principal';
import { atLeast } from '../../../kernel/role';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import * as fieldRules from '../../../platform/http/field-rules';
import { ErrorPage } from '../../../platform/pages/components/error-page';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect, RedirectAway } from '../../../platform/pages/page-answer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import {
  SessionGuard,
  SignedInBrowser,
  SignedInPerson,
  SignedInUser,
  signInPath,
  type User,
} from '../../accounts';
import { Members } from '../../workspaces';
import { AuthorizeApp } from '../application/authorize-app';
import type { Client, AuthorizationRequest, Parameters } from '../domain/authorization-request';
import { OAuthError } from '../domain/oauth-error';
import { withParameters } from '../domain/redirect-uri';
import { ConsentPage } from './consent-page';
import { RefusedRequestPage } from './refused-request-page';

/** The authorization endpoint: a page on which a person allows or denies an app access to a workspace (RFC 6749 section 3.1). */
@Controller('oauth/authorize')
@Pages()
export class AuthorizeController {
  private readonly issuer: string;

  constructor(
    private readonly authorizeApp: AuthorizeApp,
    private readonly members: Members,
    private readonly browser: SignedInBrowser,
    private readonly scopes: ScopeRegistry,
    { publicUrl }: Configuration,
  ) {
    this.issuer = addressOf(publicUrl);
  }

  @Get()
  show(@Req() request: Request): Promise<PageAnswer> {
    const parameters = request.query as Parameters;
    const onError = (client: Client, error: OAuthError) => this.errorPage(client, error);
    return this.answering(parameters, onError, async (authorization) => {
      const user = await this.browser.userOf(request);
      if (!user) return new Redirect(signInPath(request));
      return this.consent(authorization, { user, parameters, form: new FormInput() });
    });
  }

  /** The form returns the app's parameters, and they are checked again. */
  @Post()
  @Repeatable()
  @UseGuards(SessionGuard)
  decide(
    @Req() request: Request,
    @SignedInUser() user: User,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const parameters = request.body as Parameters;
    const onError = (client: Client, error: OAuthError) => this.backTo(client, answerOf(error));
    return this.answering(parameters, onError, async (authorization) => {
      if (form.value('decision') !== 'allow') {
        throw new OAuthError('access_denied', 'The user denied access.');
      }
      const workspace = form.text('workspace', fieldRules.text(100));
      const chosen = form.text('mode', fieldRules.oneOf(MODES));
      const mode = MODES.find((each) => each === chosen);
      if (form.isFaulty || !mode) return this.consent(authorization, { user, parameters, form });
      const workspaceId = parseId('ws', workspace);
      if (!workspaceId) throw new NotFound('workspace');
      const code = await this.authorizeApp.allow(authorization, { workspaceId, mode }, person);
      return this.backTo(authorization, { code });
    });
  }

  /** Shows errors to the person until the app and its redirect address are verified, then passes them to `onError`. */
  private async answering(
    parameters: Parameters,
    onError: (client: Client, error: OAuthError) => PageAnswer,
    work: (authorization: AuthorizationRequest) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    let client: Client | undefined;
    try {
      client = await this.authorizeApp.identify(parameters);
      return await work(this.authorizeApp.check(parameters, client));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      if (client) return onError(client, error);
      return new HtmlPage(<UnusableRequestPage message={error.message} />, 400);
    }
  }

  private backTo(client: Client, answer: Record<string, string>): RedirectAway {
    return new RedirectAway(this.returnAddress(client, answer));
  }

  /**
   * Anyone can make a link that leads to an error. A redirect without interaction would make the authorization endpoint
   * an open redirector (RFC 9700 section 4.11.2), so the person decides whether to continue to the app.
   */
  private errorPage(client: Client, error: OAuthError): HtmlPage {
    const address = this.returnAddress(client, answerOf(error));
    return new HtmlPage(
      <RefusedRequestPage name={client.app.name} message={error.message} address={address} />,
      400,
    );
  }

  private returnAddress({ redirectUri, state }: Client, answer: Record<string, string>): string {
    return withParameters(redirectUri, { ...answer, state, iss: this.issuer });
  }

  private async consent(
    authorization: AuthorizationRequest,
    { user, parameters, form }: { user: User; parameters: Parameters; form: FormInput },
  ): Promise<HtmlPage> {
    const memberships = await this.members.workspacesOf(user.id);
    const words = new Map(this.scopes.entries());
    return new HtmlPage(
      <ConsentPage
        email={user.email}
        authorization={authorization}
        parameters={parameters}
        scopes={authorization.scopes.map((scope) => ({ scope, words: words.get(scope) ?? scope }))}
        workspaces={memberships
          .filter(({ role }) => atLeast(role, 'admin'))
          .map(({ workspace }) => workspace)}
        form={form}
      />,
      form.isFaulty ? 422 : 200,
      authorization.redirectUri,
    );
  }
}

function answerOf({ code, message }: OAuthError): Record<string, string> {
  return { error: code, error_description: message };
}

function UnusableRequestPage({ message }: { message: string }) {
  return (
    <ErrorPage
      title="This app link doesn’t work"
      message={`${message} Tell the app’s developer: their link is faulty.`}
    />
  );
}
