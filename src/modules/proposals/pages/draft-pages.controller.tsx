import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { parseId } from '../../../kernel/ids';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import { SignedInPerson } from '../../accounts';
import { LeadQueries, type LeadView } from '../../leads';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChangeProposal } from '../application/change-proposal';
import { DraftProposal } from '../application/draft-proposal';
import { ProposalQueries } from '../application/proposal-queries';
import type { ProposalView } from '../application/proposal-views';
import { ChooseLeadPage } from './choose-lead-page';
import { completed, formOf, readDraft, renameProblems, withoutBlankLines } from './draft-form';
import { DraftPage } from './draft-page';
import { searchText, wordsOf } from './proposal-list';
import { newProposalPath, proposalPath, proposalsPath, readProposalId } from './proposal-paths';
import { seenRevision } from './seen-revision';

const MOST_LEADS = 10;
const BLANK_LINES = 3;
const MORE_LINES = 10;

/** Settings → Sales → Proposals: the form of a draft. */
@Controller('settings/:workspace/:mode/proposals')
@SettingsPages('member')
export class DraftPagesController {
  constructor(
    private readonly queries: ProposalQueries,
    private readonly changeProposal: ChangeProposal,
    private readonly draftProposal: DraftProposal,
    private readonly leads: LeadQueries,
  ) {}

  @Get('new')
  async begin(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const lead = queryText(request, 'lead');
    if (!lead) return this.leadChoice(area, searchText(request));
    const form = new FormInput({ currency: area.workspace.currency });
    return this.creation(area, await this.lead(area, lead), form);
  }

  @Post('new')
  async create(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Submitted() sent: FormInput,
  ): Promise<PageAnswer> {
    const lead = await this.lead(area, sent.value('lead'));
    const form = withoutBlankLines(sent);
    const fields = readDraft(form, area.workspace.currency);
    const ref = { ...refOf(area), actor };
    const done = await form.submit(() => this.draftProposal.create(ref, { leadId: lead.id, ...fields }));
    return done
      ? new Redirect(`${proposalPath(area, done.result.id)}?notice=created`)
      : this.creation(area, lead, form);
  }

  @Post('new/lines')
  @Repeatable()
  async addLinesToNew(@InArea() area: Area, @Submitted() sent: FormInput): Promise<HtmlPage> {
    const lead = await this.lead(area, sent.value('lead'));
    return this.creation(area, lead, withoutBlankLines(sent), MORE_LINES);
  }

  @Get(':proposal/edit')
  async show(@InArea() area: Area, @Param('proposal') id: string): Promise<PageAnswer> {
    const proposal = await this.queries.get(refOf(area), readProposalId(id));
    const isDraft = proposal.status === 'draft' && !proposal.archivedAt;
    return isDraft
      ? this.editing(area, proposal, formOf(proposal, proposal.revision))
      : new Redirect(proposalPath(area, proposal.id));
  }

  @Post(':proposal/edit')
  async change(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('proposal') id: string,
    @Submitted() sent: FormInput,
  ): Promise<PageAnswer> {
    const before = await this.queries.get(refOf(area), readProposalId(id));
    const form = withoutBlankLines(completed(sent, before));
    const fields = readDraft(form, before.currency);
    const ref = { ...refOf(area), actor };
    const done = await form.submit(() =>
      this.changeProposal.update(ref, before.id, fields, seenRevision(sent)),
    );
    return done
      ? new Redirect(`${proposalPath(area, before.id)}?notice=saved`)
      : this.editing(area, await this.queries.get(refOf(area), before.id), form);
  }

  @Post(':proposal/edit/lines')
  @Repeatable()
  async addLines(
    @InArea() area: Area,
    @Param('proposal') id: string,
    @Submitted() sent: FormInput,
  ): Promise<HtmlPage> {
    const proposal = await this.queries.get(refOf(area), readProposalId(id));
    return this.editing(area, proposal, withoutBlankLines(completed(sent, proposal)), MORE_LINES);
  }

  private async leadChoice(area: Area, q: string): Promise<HtmlPage> {
    const words = wordsOf(q);
    const { data } = await this.leads.list(
      refOf(area),
      { archived: 'false', ...(words.length > 0 && { words }) },
      {
        ...{ page: 1, limit: MOST_LEADS, fingerprint: '', isUncounted: true },
        sort: { field: 'createdAt', descending: true },
      },
    );
    return new HtmlPage(<ChooseLeadPage area={area} q={q} leads={data} />);
  }

  private lead(area: Area, text: string): Promise<LeadView> {
    const id = parseId('lead', text);
    if (!id) throw new NotFound('lead');
    return this.leads.get(refOf(area), id);
  }

  private creation(area: Area, lead: LeadView, form: FormInput, blank = BLANK_LINES): HtmlPage {
    renameProblems(form);
    return new HtmlPage(
      <DraftPage
        {...{ area, lead, form, blank }}
        title="New proposal"
        action={newProposalPath(area)}
        back={proposalsPath(area)}
        hidden={{ lead: lead.id }}
      />,
      form.isFaulty ? 422 : 200,
    );
  }

  private async editing(
    area: Area,
    proposal: ProposalView,
    form: FormInput,
    blank = BLANK_LINES,
  ): Promise<HtmlPage> {
    renameProblems(form);
    const { id, number, version } = proposal;
    // Once that is said, saving again replaces what somebody else saved.
    const isStale = form.problem('If-Match') !== undefined;
    const revision = isStale ? String(proposal.revision) : form.value('revision');
    return new HtmlPage(
      <DraftPage
        {...{ area, form, blank }}
        lead={await this.leads.get(refOf(area), proposal.leadId)}
        title={`Edit proposal ${number}${version > 1 ? `, version ${version}` : ''}`}
        action={proposalPath(area, id, 'edit')}
        back={proposalPath(area, id)}
        current={proposalPath(area, id)}
        hidden={{ revision }}
      />,
      form.isFaulty ? 422 : 200,
    );
  }
}
