import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { dayIn } from '../../../kernel/time-zone';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChangeProposal } from '../application/change-proposal';
import { DraftProposal } from '../application/draft-proposal';
import { ProposalQueries } from '../application/proposal-queries';
import { ArchivePage, WithdrawPage } from './proposal-confirmations';
import { ProposalPage } from './proposal-page';
import { proposalPath, proposalsPath, readProposalId } from './proposal-paths';
import { seenRevision } from './seen-revision';

/** Settings → Sales → Proposals: one of them, and what people do with it. */
@Controller('settings/:workspace/:mode/proposals/:proposal')
@SettingsPages('member')
export class ProposalPageController {
  constructor(
    private readonly queries: ProposalQueries,
    private readonly changeProposal: ChangeProposal,
    private readonly draftProposal: DraftProposal,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area, @Param('proposal') id: string): Promise<HtmlPage> {
    return this.page(area, id, new FormInput(), queryText(request, 'notice'));
  }

  @Post('send')
  async send(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('proposal') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const done = await form.submit(() =>
      this.changeProposal.send(ref, readProposalId(id), seenRevision(form)),
    );
    return done ? backTo(area, id, 'sent') : this.page(area, id, form);
  }

  @Post('revise')
  async revise(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('proposal') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const done = await form.submit(() => this.draftProposal.revise(ref, readProposalId(id)));
    return done ? new Redirect(proposalPath(area, done.result.id, 'edit')) : this.page(area, id, form);
  }

  @Get('withdraw')
  async confirmWithdrawal(@InArea() area: Area, @Param('proposal') id: string): Promise<HtmlPage> {
    const proposal = await this.queries.getListed(refOf(area), readProposalId(id));
    return new HtmlPage(<WithdrawPage area={area} proposal={proposal} />);
  }

  @Post('withdraw')
  async withdraw(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('proposal') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const done = await form.submit(() => this.changeProposal.withdraw(ref, readProposalId(id)));
    return done ? backTo(area, id, 'withdrawn') : this.page(area, id, form);
  }

  @Get('archive')
  async confirmArchiving(@InArea() area: Area, @Param('proposal') id: string): Promise<HtmlPage> {
    const proposal = await this.queries.getListed(refOf(area), readProposalId(id));
    return new HtmlPage(<ArchivePage area={area} proposal={proposal} />);
  }

  @Post('archive')
  async archive(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('proposal') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const done = await form.submit(() => this.changeProposal.archive(ref, readProposalId(id)));
    return done ? new Redirect(`${proposalsPath(area)}?notice=archived`) : this.page(area, id, form);
  }

  @Post('restore')
  async restore(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('proposal') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = { ...refOf(area), actor };
    const done = await form.submit(() => this.changeProposal.restore(ref, readProposalId(id)));
    return done ? backTo(area, id, 'restored') : this.page(area, id, form);
  }

  private async page(area: Area, id: string, form: FormInput, notice = ''): Promise<HtmlPage> {
    const proposal = await this.queries.getListed(refOf(area), readProposalId(id));
    return new HtmlPage(
      <ProposalPage
        area={area}
        proposal={proposal}
        versions={await this.queries.versions(refOf(area), proposal.number)}
        today={dayIn(area.workspace.timeZone, this.clock.now())}
        form={form}
        notice={notice}
      />,
      form.isFaulty ? 422 : 200,
    );
  }
}

function backTo(area: Area, id: string, notice: string): Redirect {
  return new Redirect(`${proposalPath(area, readProposalId(id))}?notice=${notice}`);
}
