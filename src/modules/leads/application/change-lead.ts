import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import { NotFound } from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { later } from '../../../kernel/time';
import type { Lead, LeadFields, LeadView, Stage } from '../domain/lead';
import { LeadOwners, noMember } from './lead-owners';
import { LeadPolicies } from './lead-policies';
import { LeadRepository } from './lead-repository';

/** Changes leads. The lock of the row keeps concurrent changes from overwriting each other. */
@Injectable()
export class ChangeLead {
  constructor(
    private readonly leads: LeadRepository,
    private readonly owners: LeadOwners,
    private readonly policies: LeadPolicies,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed for an owner who is no member, among others */
  update(ref: ActingRef, id: LeadId, changes: Partial<LeadFields>, seen?: Precondition): Promise<LeadView> {
    const update = async (lead: Lead, now: Date) => {
      const about = { lead: lead.view(), action: 'update' } as const;
      const decided = await this.policies.beforeChange(ref, about, lead.changesBy(changes));
      if (!(await this.isOwnable(ref, lead, decided))) throw noMember();
      return lead.update(decided, now);
    };
    return this.change(ref, id, update, seen);
  }

  /** Moves the lead because of something else, such as a sent proposal. Its events are no earlier than `cause`. */
  advance(ref: ActingRef, id: LeadId, stage: Stage, cause?: Date): Promise<LeadView> {
    return this.change(ref, id, async (lead, now) => {
      if (!lead.isBehind(stage)) return [];
      const about = { lead: lead.view(), action: 'advance' } as const;
      const changes: Partial<LeadFields> = await this.policies.beforeFact(ref, about, { stage });
      // A policy can't keep the fact from happening by naming someone who is no member.
      if (!(await this.isOwnable(ref, lead, changes))) delete changes.ownerId;
      return lead.advance(stage, later(now, cause ?? now), changes);
    });
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
    return !ownerId || ownerId === lead.ownerId || this.owners.hold(ref, ownerId);
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
      if (events.length) await this.leads.save(lead, events);
      return lead.view();
    });
  }
}
