import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { LeadQueries } from '../../leads';
import type { ActivityView } from '../domain/activity';
import { type ActivityFilter, type ActivityKey, ActivityRepository } from './activity-repository';

@Injectable()
export class ActivityQueries {
  constructor(
    private readonly activities: ActivityRepository,
    private readonly leads: LeadQueries,
  ) {}

  async get(ref: WorkspaceRef, key: ActivityKey): Promise<ActivityView> {
    const activity = await this.activities.find(ref, key);
    if (!activity) throw new NotFound('activity');
    return activity;
  }

  /** @throws NotFound for an unknown lead */
  async list(
    ref: WorkspaceRef,
    leadId: LeadId,
    filter: ActivityFilter,
    request: PageRequest<'at'>,
  ): Promise<Page<ActivityView>> {
    await this.leads.get(ref, leadId);
    const slice = await this.activities.list(ref, leadId, filter, request);
    return pageOf(request, slice, ({ at, id }) => ({ value: at.toISOString(), id }));
  }
}
