import { createHash } from 'node:crypto';
import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { isbot } from 'isbot';
import { RateLimited } from '../../../kernel/errors';
import { clientAddress } from '../../../platform/http/client-address';
import * as fieldRules from '../../../platform/http/field-rules';
import { BrowserCookie } from '../../../platform/pages/browser-cookie';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Pages, Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { RateLimits } from '../../../platform/rate-limiting/rate-limits';
import { SignedInBrowser } from '../../accounts';
import { ReceiveQuestion } from '../../messages';
import { Members } from '../../workspaces';
import { AnswerProposal, type Answered } from '../application/answer-proposal';
import type { Proposal } from '../domain/proposal';
import type { LinkedProposal } from '../application/proposal-repository';
import { ClientOffers } from '../application/client-offers';
import { ClientPage, GonePage } from './client-page';
import { ProposalBodies } from './proposal-bodies';
import { MAX_QUESTION } from './question-form';

/** The public page of a proposal, which its client opens by an unguessable link. */
@Controller('proposals/:token')
@Pages()
export class ClientController {
  constructor(
    private readonly answerProposal: AnswerProposal,
    private readonly offers: ClientOffers,
    private readonly bodies: ProposalBodies,
    private readonly receiveQuestion: ReceiveQuestion,
    private readonly browser: SignedInBrowser,
    private readonly cookie: BrowserCookie,
    private readonly members: Members,
    private readonly rateLimits: RateLimits,
  ) {}

  @Get()
  async show(@Req() request: Request, @Param('token') token: string): Promise<HtmlPage> {
    const linked = await this.answerProposal.find(token);
    if (!linked) return this.gone(request);
    const { proposal } = linked;
    const isPreview = await this.isMember(request, proposal);
    if (!isPreview && isByPerson(request) && (await this.isNotable(request, proposal))) {
      await this.answerProposal.noteVisit(proposal, this.visitorOf(request));
    }
    const isAsked = queryText(request, 'notice') === 'asked';
    return this.pageOf(linked, new FormInput(), { isPreview, isAsked });
  }

  @Post('accept')
  accept(
    @Req() request: Request,
    @Param('token') token: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const name = form.text('name', fieldRules.text(200));
    form.text('consent', fieldRules.oneOf(['yes']));
    const userAgent = request.get('user-agent')?.slice(0, 500).toWellFormed() ?? null;
    const acceptance = { name, address: clientAddress(request), userAgent };
    return this.answer(request, token, form, () => this.answerProposal.accept(token, acceptance));
  }

  @Post('decline')
  decline(
    @Req() request: Request,
    @Param('token') token: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const reason = form.optional('reason', fieldRules.text(1000));
    form.text('decline', fieldRules.oneOf(['yes']));
    return this.answer(request, token, form, () => this.answerProposal.decline(token, reason));
  }

  /** A message on the lead. Each address and each link has a limit. */
  @Post('questions')
  async ask(
    @Req() request: Request,
    @Param('token') token: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const question = form.text('question', fieldRules.text(MAX_QUESTION));
    const linked = await this.answerProposal.find(token);
    if (!linked || linked.proposal.archivedAt) return this.gone(request);
    const { proposal } = linked;
    if (await this.isMember(request, proposal)) {
      return this.pageOf(linked, new FormInput(), { status: 403, isPreview: true });
    }
    if (form.isFaulty) return this.pageOf(linked, form, { status: 422 });
    try {
      await this.rateLimits.countQuestion(request, proposal.id);
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      form.problems.push({ field: 'tooMany', message: error.message });
      request.res!.setHeader('Retry-After', error.retryAfterSeconds);
      return this.pageOf(linked, form, { status: 429 });
    }
    await this.receiveQuestion.execute(proposal, proposal.leadId, question);
    return new Redirect(`/proposals/${token}?notice=asked#question`);
  }

  private async answer(
    request: Request,
    token: string,
    form: FormInput,
    answer: () => Promise<Answered | undefined>,
  ): Promise<PageAnswer> {
    const shown = await this.answerProposal.find(token);
    if (shown && (await this.isMember(request, shown.proposal))) {
      return this.pageOf(shown, new FormInput(), { status: 403, isPreview: true });
    }
    const answered = form.isFaulty ? undefined : await answer();
    if (answered?.counts) return new Redirect(`/proposals/${token}`);
    const linked = answered ?? shown;
    if (!linked) return this.gone(request);
    return answered
      ? this.pageOf(linked, new FormInput(), { status: 409 })
      : this.pageOf(linked, form, { status: 422 });
  }

  private async pageOf(
    linked: LinkedProposal,
    form: FormInput,
    { status = 200, ...rest }: { status?: number; isPreview?: boolean; isAsked?: boolean },
  ): Promise<HtmlPage> {
    const offer = await this.offers.of(linked);
    const { node } = await this.bodies.of(offer);
    const page = <ClientPage offer={offer} body={node} form={form} tooLate={status === 409} {...rest} />;
    return new HtmlPage(page, status);
  }

  /** Counts unknown links by client address, against guessing. Valid links are never refused for it. */
  private async gone(request: Request): Promise<HtmlPage> {
    await this.rateLimits.countAddress(request);
    return new HtmlPage(<GonePage />, 404);
  }

  private async isMember(request: Request, { workspaceId }: Proposal): Promise<boolean> {
    const user = await this.browser.userOf(request);
    return user !== undefined && (await this.members.membershipOf(workspaceId, user.id)) !== undefined;
  }

  /** The first visit is always recorded. Further visits are limited for each address. */
  private async isNotable(request: Request, { status }: Proposal): Promise<boolean> {
    return status === 'sent' || this.rateLimits.allowsVisit(request);
  }

  /**
   * Identifies a visitor by cookie, and by address and user agent for first visits and browsers without cookies. Only hashes
   * of both are stored.
   */
  private visitorOf(request: Request): Buffer[] {
    const marks = [this.cookie.ensure(request), `${clientAddress(request)} ${request.get('user-agent')}`];
    return marks.map((mark) => createHash('sha256').update(mark).digest());
  }
}

/** False for robots, such as link previews of chat apps. */
function isByPerson(request: Request): boolean {
  const userAgent = request.get('user-agent');
  const isPrefetch = /prefetch|preview/i.test(`${request.get('sec-purpose')} ${request.get('purpose')}`);
  return request.method === 'GET' && Boolean(userAgent) && !isbot(userAgent) && !isPrefetch;
}
