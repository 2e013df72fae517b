import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { UserId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Members } from '../../workspaces';
import type { CustomFields } from '../domain/custom-fields';
import { Lead, type LeadView, type NewLead } from '../domain/lead';
import { CustomFieldReader } from './custom-field-reader';
import { LeadOwners, noMember } from './lead-owners';
import type { PipelineStage } from '../domain/pipeline-stage';
import { LeadMatches } from './lead-matches';
import { LeadPolicies } from './lead-policies';
import { LeadRepository } from './lead-repository';
import { StageEntry } from './stage-entry';

@Injectable()
export class CreateLead {
  constructor(
    private readonly leads: LeadRepository,
    private readonly matches: LeadMatches,
    private readonly owners: LeadOwners,
    private readonly members: Members,
    private readonly policies: LeadPolicies,
    private readonly entry: StageEntry,
    private readonly customFields: CustomFieldReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Without policies, owners, external ids and added stages this is a single statement, which needs no transaction of its own.
   *
   * @param ignoresRequired for a lead that nobody has filled in, whose required custom fields may be empty
   * @throws ValidationFailed for an owner who is no member, among others
   */
  async execute(ref: ActingRef, fields: NewLead, { ignoresRequired = false } = {}): Promise<LeadView> {
    const all = await this.customFields.find(ref);
    const customFields = ignoresRequired ? all.optional : all;
    const assigns = await this.owners.assigns(ref);
    const isDecided = !assigns && !fields.ownerId && !this.policies.decideOnCreation;
    if (isDecided && !fields.externalId && !this.entry.needsReading(fields)) {
      return this.add(ref, fields, customFields);
    }
    if (fields.custom) customFields.requireFitting(fields.custom);
    return this.unitOfWork.run(async () => {
      const decided = await this.policies.beforeCreate(ref, {}, Lead.normalised(fields));
      await this.matches.requireFree(ref, decided.externalId);
      const entered = await this.entry.enter(ref, decided);
      const ownerId = await this.ownerOf(ref, decided, assigns);
      return this.add(ref, { ...decided, ownerId }, customFields, entered);
    });
  }

  private async ownerOf(ref: ActingRef, { ownerId }: NewLead, assigns: boolean): Promise<UserId | null> {
    if (!ownerId) return assigns ? this.owners.next(ref) : null;
    if (await this.members.hold(ref.workspaceId, ownerId)) return ownerId;
    throw noMember();
  }

  private async add(
    ref: ActingRef,
    fields: NewLead,
    customFields: CustomFields,
    entered?: PipelineStage,
  ): Promise<LeadView> {
    const { lead, events } = Lead.open(ref, fields, this.clock.now(), entered, customFields);
    await this.leads.add(lead, events);
    return lead.view();
  }
}
