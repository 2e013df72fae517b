import { Body, Controller, HttpCode, Post, Res, UseFilters } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { preconditionOf } from '../../../platform/http/if-match.decorator';
import { inOrder } from '../../../platform/http/input-problems';
import { ScansRows } from '../../../platform/http/scans-rows.decorator';
import { validate } from '../../../platform/http/validation.pipe';
import { Describe } from '../../../platform/openapi/describe';
import type { LeadWrite, RefusedWrite } from '../application/lead-writes';
import { WriteLeads } from '../application/write-leads';
import type { LeadView } from '../domain/lead';
import { changesOf, checkLead } from './check-lead';
import { LeadResponse } from './lead.dto';
import { WorkspaceProblemsFilter } from './workspace-problems.filter';
import {
  BulkLeadsBody,
  BulkLeadsResponse,
  LeadUpdateItem,
  toBulkResponse,
  UpsertLeadBody,
} from './write-leads.dto';

const PATH = '/v1/leads';

/** The routes that integrations write leads with. */
@Controller(PATH)
@ApiTags('Leads')
@UseFilters(WorkspaceProblemsFilter)
export class WriteLeadsController {
  constructor(private readonly writeLeads: WriteLeads) {}

  @Post('upsert')
  @HttpCode(200)
  @RequireScope('leads:write')
  @Describe({
    operationId: 'upsertLead',
    summary: 'Create or update a lead',
    description:
      'Changes the lead that has the same `externalId`, e-mail address or phone number, or creates one: 200 or 201. Only the given fields change. Two calls at once never create two leads.',
    request: { matchBy: 'externalId', externalId: 'crm-4711', email: 'ana@example.com', source: 'website' },
    response: LeadResponse,
    setsLocation: true,
    invalid: { field: 'matchBy', message: 'several leads have that email' },
  })
  @ApiResponse({ status: 201, description: 'Created.', type: LeadResponse })
  async upsert(
    @Caller() caller: Principal,
    @Body() { matchBy, onExisting, onMultiple, ...fields }: UpsertLeadBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LeadView> {
    const options = { operation: 'upsert', matchBy, onExisting, onMultiple } as const;
    const { status, lead } = await this.writeLeads.runOne(caller, { ...options, fields: changesOf(fields) });
    if (status === 'created') response.status(201).setHeader('Location', `${PATH}/${lead.id}`);
    return lead;
  }

  @Post('bulk')
  @HttpCode(200)
  @ScansRows()
  @RequireScope('leads:write')
  @Describe({
    operationId: 'writeLeads',
    summary: 'Write many leads',
    description:
      'Creates, updates or upserts up to 100 leads, in their order, and counts as one write against the rate limit. An item that fails leaves the others as they are, unless `atomic` is true.',
    request: {
      operation: 'upsert',
      matchBy: 'externalId',
      items: [{ externalId: 'crm-4711', email: 'ana@example.com', source: 'website' }],
    },
    response: BulkLeadsResponse,
    invalid: { field: 'items[3].email', message: 'is required' },
  })
  async bulk(@Caller() caller: Principal, @Body() body: BulkLeadsBody): Promise<BulkLeadsResponse> {
    const writes = body.items.map((item) => toWrite(item, body));
    return toBulkResponse(await this.writeLeads.run(caller, writes, { atomic: body.atomic ?? false }));
  }
}

function toWrite(item: object, options: BulkLeadsBody): LeadWrite | RefusedWrite {
  const { operation, matchBy, onExisting, onMultiple, onDuplicate } = options;
  if (operation === 'update') return toUpdate(item);
  const checked = checkLead(item, operation);
  return 'problems' in checked
    ? checked
    : { ...checked, operation, matchBy, onExisting, onMultiple, onDuplicate };
}

function toUpdate(item: object): LeadWrite | RefusedWrite {
  const { dto, problems } = validate(LeadUpdateItem, item);
  if (problems.length > 0) return { problems: inOrder(problems) };
  const { id, ifMatch, ...fields } = dto as LeadUpdateItem;
  const seen = ifMatch === undefined ? {} : { ifMatch: preconditionOf(ifMatch) };
  return { operation: 'update', id, ...seen, fields: changesOf(fields) };
}
