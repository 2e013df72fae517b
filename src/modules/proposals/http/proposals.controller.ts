import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import type { Precondition } from '../../../kernel/precondition';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { ChangeProposal } from '../application/change-proposal';
import { DraftProposal, type NewProposal } from '../application/draft-proposal';
import { ProposalQueries } from '../application/proposal-queries';
import type { ProposalView } from '../application/proposal-views';
import { ListProposalsQuery, toListRequest } from './list-proposals.query';
import { CreateProposalBody, PROPOSAL, ProposalResponse, UpdateProposalBody } from './proposal.dto';
import { shownTo } from './shown-to';

const PATH = '/v1/proposals';
const WHEN = '2027-01-16T11:00:00.000Z';
const SENT = {
  status: 'sent',
  publicUrl: 'https://gala.example.com/proposals/8jq2CrBoQ0ZJvYf0aXo4mSg1TqkVd7wHn5uLeRzPiNk',
  sentAt: WHEN,
  updatedAt: WHEN,
  revision: 2,
};

@Controller(PATH)
@DescribeGroup({
  name: 'Proposals',
  description:
    'Offers to leads. A draft can be changed; once sent, an offer stays what it is, and another version of it takes its place.',
})
export class ProposalsController {
  constructor(
    private readonly draftProposal: DraftProposal,
    private readonly changeProposal: ChangeProposal,
    private readonly queries: ProposalQueries,
  ) {}

  @Post()
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'createProposal',
    summary: 'Create a proposal',
    description: 'As a draft, which nobody outside the workspace sees.',
    status: 201,
    response: ProposalResponse,
    invalid: { field: 'lineItems[0].unitAmount', message: 'is required' },
  })
  create(@Caller() caller: Principal, @Body() body: CreateProposalBody): Promise<ProposalView> {
    return this.draftProposal.create(caller, toNewProposal(body));
  }

  @Get()
  @RequireScope('proposals:read')
  @DescribeList({
    operationId: 'listProposals',
    summary: 'List proposals',
    description:
      'All that match every given filter, each version by itself. Archived ones are left out unless asked for. `publicUrl` is null without the scope `proposals:write`.',
    item: ProposalResponse,
    list: 'ProposalList',
  })
  async list(@Caller() caller: Principal, @Query() query: ListProposalsQuery): Promise<Page<ProposalView>> {
    const { filter, request } = toListRequest(query);
    const { data, pagination } = await this.queries.list(caller, filter, request);
    return { data: data.map((proposal) => shownTo(caller, proposal)), pagination };
  }

  @Get(':id')
  @RequireScope('proposals:read')
  @Describe({
    operationId: 'getProposal',
    summary: 'Get a proposal',
    description: 'Archived ones too. `publicUrl` is null without the scope `proposals:write`.',
    object: PROPOSAL,
    response: ProposalResponse,
  })
  async get(@Caller() caller: Principal, @Param('id') id: string): Promise<ProposalView> {
    return shownTo(caller, await this.queries.get(caller, PROPOSAL.read(id)));
  }

  @Patch(':id')
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'updateProposal',
    summary: 'Update a draft',
    description:
      'Changes the given fields alone; `lineItems` replaces all lines, `sections` all sections; `null` clears any but `title` and `currency`. What was sent can’t be changed: revise it.',
    object: PROPOSAL,
    request: { title: 'Garden wedding, evening only' },
    response: ProposalResponse,
    answer: { title: 'Garden wedding, evening only', updatedAt: WHEN, revision: 2 },
    invalid: {
      field: 'status',
      message: 'a proposal that is sent can’t be changed; make another version with POST …/revise',
    },
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateProposalBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ProposalView> {
    const { lineItems, sections, ...rest } = body;
    const changes = {
      ...rest,
      ...(lineItems !== undefined && { lineItems: lineItems ?? [] }),
      ...(sections !== undefined && { sections: sections ?? [] }),
    };
    return this.changeProposal.update(caller, PROPOSAL.read(id), changes, seen);
  }

  @Post(':id/send')
  @HttpCode(200)
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'sendProposal',
    summary: 'Send a proposal',
    description:
      'Opens the client’s page: send its `publicUrl` to them in your own way. Moves the lead to `proposal_sent`, unless it is further already, and takes the version before this one back.',
    object: PROPOSAL,
    response: ProposalResponse,
    answer: SENT,
    invalid: { field: 'lineItems', message: 'must hold at least one line before it is sent' },
  })
  send(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ProposalView> {
    return this.changeProposal.send(caller, PROPOSAL.read(id), seen);
  }

  @Post(':id/revise')
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'reviseProposal',
    summary: 'Make another version of a proposal',
    description:
      'A new draft with the same number and content. The version before it stays open to the client until this one is sent.',
    status: 201,
    object: PROPOSAL,
    response: ProposalResponse,
    answer: { version: 2, previousVersionId: PROPOSAL.example },
    setsLocation: true,
    invalid: { field: 'version', message: 'is not the latest: revise that one' },
  })
  async revise(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProposalView> {
    const proposal = await this.draftProposal.revise(caller, PROPOSAL.read(id), seen);
    response.setHeader('Location', `${PATH}/${proposal.id}`);
    return proposal;
  }

  @Post(':id/withdraw')
  @HttpCode(200)
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'withdrawProposal',
    summary: 'Take a sent proposal back',
    description: 'The client can’t accept it any more. One that was taken back already is left as it is.',
    object: PROPOSAL,
    response: ProposalResponse,
    answer: { ...SENT, status: 'withdrawn', withdrawnAt: WHEN },
    invalid: {
      field: 'status',
      message: 'it is accepted, and only what was sent and isn’t decided can be ended',
    },
  })
  withdraw(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ProposalView> {
    return this.changeProposal.withdraw(caller, PROPOSAL.read(id), seen);
  }

  @Post(':id/rotate-link')
  @HttpCode(200)
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'rotateProposalLink',
    summary: 'Give a proposal another link',
    description: 'The `publicUrl` before stops working at once.',
    object: PROPOSAL,
    response: ProposalResponse,
    answer: SENT,
    invalid: { field: 'status', message: 'a draft has no link yet: it gets one when it is sent' },
  })
  rotateLink(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ProposalView> {
    return this.changeProposal.rotateLink(caller, PROPOSAL.read(id), seen);
  }

  @Delete(':id')
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'archiveProposal',
    summary: 'Archive a proposal',
    description:
      'An offer that is open is taken back with it. It can still be read and be restored; lists leave it out.',
    object: PROPOSAL,
    response: ProposalResponse,
    answer: { archivedAt: WHEN, updatedAt: WHEN, revision: 2 },
  })
  archive(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ProposalView> {
    return this.changeProposal.archive(caller, PROPOSAL.read(id), seen);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('proposals:write')
  @Describe({
    operationId: 'restoreProposal',
    summary: 'Restore an archived proposal',
    description: 'One that isn’t archived is left as it is. What was taken back stays so.',
    object: PROPOSAL,
    response: ProposalResponse,
    answer: { updatedAt: WHEN, revision: 3 },
  })
  restore(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ProposalView> {
    return this.changeProposal.restore(caller, PROPOSAL.read(id), seen);
  }
}

/** Null on creation means that the field is absent. */
function toNewProposal({ leadId, ...body }: CreateProposalBody): NewProposal {
  const given = Object.entries<unknown>(body).filter(([, value]) => value !== null && value !== undefined);
  return { leadId, ...(Object.fromEntries(given) as Omit<NewProposal, 'leadId'>) };
}
