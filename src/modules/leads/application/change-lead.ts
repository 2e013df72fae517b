import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import { NotFound } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { later } from '../../../kernel/time';
import { Members } from '../../workspaces';
import type { Lead, LeadFields, LeadView } from '../domain/lead';
import type { Pipeline } from '../domain/pipeline';
import type { StageKey, StageRole } from '../domain/stage';
import { CustomFieldReader } from './custom-field-reader';
import { LeadMatches } from './lead-matches';
import { noMember } from './lead-owners';
import { LeadPolicies } from './lead-policies';
import { LeadRepository } from './lead-repository';
import { PipelineRepository } from './pipeline-repository';
import { type Entry, StageEntry } from './stage-entry';

/** Changes leads. The lock of the row keeps concurrent changes from overwriting each other. */
@Injectable()
export class ChangeLead {
  constructor(
    private readonly leads: LeadRepository,
    private readonly matches: LeadMatches,
    private readonly members: Members,
    private readonly policies: LeadPolicies,
    private readonly pipelines: PipelineRepository,
    private readonly entry: StageEntry,
    private readonly customFields: CustomFieldReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed for an owner who is no member, among others */
  async update(
    ref: ActingRef,
    id: LeadId,
    changes: Partial<LeadFields>,
    seen?: Precondition,
  ): Promise<LeadView> {
    await this.entry.requireKnown(ref, changes.stage);
    if (changes.custom) (await this.customFields.find(ref)).requireFitting(changes.custom);
    const update = async (lead: Lead, now: Date) => {
      const about = { lead: lead.view(), action: 'update' } as const;
      const decided = await this.policies.beforeChange(ref, about, lead.changesBy(changes));
      await this.matches.requireFree(ref, decided.externalId, id);
      const entered = await this.entry.enter(ref, decided);
      if (!(await this.isOwnable(ref, lead, decided))) throw noMember();
      return lead.update(decided, now, entered);
    };
    return this.change(ref, id, update, seen);
  }

  /**
   * Moves the lead forward because of something else, without regard to the rules of stages. Its events are no earlier than
   * `cause`. `advanceTo` moves it to the stage that the workspace has chosen for such a fact.
   */
  advance(ref: ActingRef, id: LeadId, stage: StageKey, cause?: Date): Promise<LeadView> {
    return this.moveForward(ref, id, cause, async () => ({
      key: stage,
      stage: await this.entry.enter(ref, { stage }),
    }));
  }

  /**
   * Moves the lead forward to the stage to which such a fact leads in this workspace, never back and without regard to the
   * rules of stages. Its events are no earlier than `cause`.
   */
  advanceTo(ref: ActingRef, id: LeadId, role: StageRole, cause?: Date): Promise<LeadView> {
    return this.moveForward(ref, id, cause, (pipeline) => this.entry.forFact(ref, pipeline, role));
  }

  archive(ref: ActingRef, id: LeadId, seen?: Precondition): Promise<LeadView> {
    const archive = async (lead: Lead, now: Date) => {
      if (!lead.archivedAt) await this.policies.beforeAction(ref, { lead: lead.view(), action: 'archive' });
      return lead.archive(now);
    };
    return this.change(ref, id, archive, seen);
  }

  restore(ref: ActingRef, id: LeadId, seen?: Precondition): Promise<LeadView> {
    const restore = async (lead: Lead, now: Date) => {
      if (lead.archivedAt) await this.policies.beforeAction(ref, { lead: lead.view(), action: 'restore' });
      return lead.restore(now);
    };
    return this.change(ref, id, restore, seen);
  }

  /** Holds the owner that the lead gets, if it gets one. */
  private async isOwnable(ref: ActingRef, lead: Lead, { ownerId }: Partial<LeadFields>): Promise<boolean> {
    return !ownerId || ownerId === lead.ownerId || this.members.hold(ref.workspaceId, ownerId);
  }

  private moveForward(
    ref: ActingRef,
    id: LeadId,
    cause: Date | undefined,
    targetIn: (pipeline: Pipeline) => Promise<Entry>,
  ): Promise<LeadView> {
    return this.change(ref, id, async (lead, now) => {
      const pipeline = await this.pipelines.find(ref);
      const { key: stage, stage: entered } = await targetIn(pipeline);
      if (!lead.isBehind(stage, pipeline)) return [];
      const about = { lead: lead.view(), action: 'advance' } as const;
      const changes: Partial<LeadFields> = await this.policies.beforeFact(ref, about, { stage });
      // A policy can't keep the fact from happening by naming someone who is no member.
      if (!(await this.isOwnable(ref, lead, changes))) delete changes.ownerId;
      return lead.advance(stage, later(now, cause ?? now), changes, { pipeline, entered });
    });
  }

  private change(
    ref: ActingRef,
    id: LeadId,
    apply: (lead: Lead, now: Date) => Promise<DomainEvent[]>,
    seen?: Precondition,
  ): Promise<LeadView> {
    return this.unitOfWork.run(async () => {
      const lead = await this.leads.lock(ref, id);
      if (!lead) throw new NotFound('lead');
      seen?.check(lead.view());
      const events = await apply(lead, this.clock.now());
      if (events.length) await this.leads.save(ref, lead, events);
      return lead.view();
    });
  }
}
