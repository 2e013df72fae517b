import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import type { DomainEvent } from '../../../kernel/domain-event';
import { NotFound } from '../../../kernel/errors';
import type { LeadFieldId, WorkspaceId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { WorkspaceRef } from '../../../kernel/principal';
import { waitForExpiry } from '../../../kernel/short-lived-cache';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { copyField, refuseTooLarge, refuseTooMany, roomFor } from '../domain/field-limits';
import { LeadField, type LeadFieldFields, type LeadFieldView, type NewLeadField } from '../domain/lead-field';
import type { FieldAction } from './field-actions';
import { type LeadFieldFilter, LeadFieldRepository } from './lead-field-repository';

/** Changes the custom fields of a workspace in one mode, one change at a time. Each answers when leads everywhere go by it. */
@Injectable()
export class ManageLeadFields {
  constructor(
    private readonly fields: LeadFieldRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async get(ref: WorkspaceRef, id: LeadFieldId): Promise<LeadFieldView> {
    const field = await this.fields.find(ref, id);
    if (!field) throw new NotFound('custom field');
    return field;
  }

  /** In their order, archived ones included. */
  async all(ref: WorkspaceRef): Promise<LeadFieldView[]> {
    return (await this.fields.findAll(ref)).map((field) => field.view());
  }

  async list(ref: WorkspaceRef, filter: LeadFieldFilter, request: PageRequest): Promise<Page<LeadFieldView>> {
    return pageOf(request, await this.fields.list(ref, filter, request), ({ position, id }) => ({
      value: String(position),
      id,
    }));
  }

  create(ref: WorkspaceRef, actor: Actor, given: NewLeadField): Promise<LeadFieldView> {
    return this.unitOfWork.run(async () => {
      const all = await this.fields.lockAll(ref);
      const last = roomFor(given, all);
      const fields = { ...given, position: given.position ?? last };
      const { field, events } = LeadField.open(ref, fields, this.clock.now());
      refuseTooLarge([...all, field]);
      await this.fields.add(field, events);
      await this.record('lead_field.created', actor, field);
      return field.view();
    });
  }

  update(
    ref: WorkspaceRef,
    actor: Actor,
    id: LeadFieldId,
    changes: Partial<LeadFieldFields>,
    seen?: Precondition,
  ): Promise<LeadFieldView> {
    const update = (field: LeadField, all: readonly LeadField[]) => {
      const events = field.change(changes, this.clock.now());
      if (changes.options) refuseTooLarge(all);
      return events;
    };
    return this.change(ref, actor, id, 'lead_field.updated', update, seen);
  }

  archive(ref: WorkspaceRef, actor: Actor, id: LeadFieldId, seen?: Precondition): Promise<LeadFieldView> {
    const archive = (field: LeadField) => field.archive(this.clock.now());
    return this.change(ref, actor, id, 'lead_field.archived', archive, seen);
  }

  restore(ref: WorkspaceRef, actor: Actor, id: LeadFieldId, seen?: Precondition): Promise<LeadFieldView> {
    const restore = (field: LeadField, all: readonly LeadField[]) => {
      if (field.archivedAt) refuseTooMany(all);
      return field.restore(this.clock.now());
    };
    return this.change(ref, actor, id, 'lead_field.restored', restore, seen);
  }

  /** Exchanges the places of a field and the one before or after it, if there is one. */
  move(ref: WorkspaceRef, actor: Actor, id: LeadFieldId, by: -1 | 1): Promise<void> {
    return this.unitOfWork.run(async () => {
      const active = (await this.fields.lockAll(ref)).filter(({ archivedAt }) => !archivedAt);
      const index = active.findIndex((field) => field.id === id);
      const [field, other] = [active[index], active[index + by]];
      if (!field || !other) return;
      const order = active.toSpliced(index, 1).toSpliced(index + by, 0, field);
      for (const [place, each] of order.entries()) {
        await this.save(each, each.change({ position: place + 1 }, this.clock.now()));
      }
      await this.record('lead_field.updated', actor, field);
    });
  }

  /** @throws ValidationFailed if live data has no room for them, or a field with the same key and another type */
  copyToLive(workspaceId: WorkspaceId, actor: Actor): Promise<void> {
    const [test, live] = [
      { workspaceId, mode: 'test' },
      { workspaceId, mode: 'live' },
    ] as const;
    return this.unitOfWork.run(async () => {
      const known = await this.fields.lockAll(live);
      const copied = (await this.fields.findAll(test)).filter(({ archivedAt }) => !archivedAt);
      for (const from of copied) {
        const { field, events, isNew } = copyField(live, from, known, this.clock.now());
        if (isNew) {
          known.push(field);
          await this.fields.add(field, events);
        } else await this.save(field, events);
      }
      refuseTooLarge(known);
      const target = { id: null, name: 'Custom fields' };
      const action: FieldAction = 'lead_field.copied';
      await this.auditLog.append({ ...live, actor, action, target });
      this.unitOfWork.afterCommit(waitForExpiry);
    });
  }

  private change(
    ref: WorkspaceRef,
    actor: Actor,
    id: LeadFieldId,
    action: FieldAction,
    apply: (field: LeadField, all: readonly LeadField[]) => DomainEvent[],
    seen?: Precondition,
  ): Promise<LeadFieldView> {
    return this.unitOfWork.run(async () => {
      const all = await this.fields.lockAll(ref);
      const field = all.find((each) => each.id === id);
      if (!field) throw new NotFound('custom field');
      seen?.check(field.view());
      const events = apply(field, all);
      if (events.length > 0) {
        await this.save(field, events);
        await this.record(action, actor, field);
      }
      return field.view();
    });
  }

  private async save(field: LeadField, events: DomainEvent[]): Promise<void> {
    if (events.length > 0) await this.fields.save(field, events);
  }

  private async record(
    action: FieldAction,
    actor: Actor,
    { workspaceId, mode, id, label }: LeadField,
  ): Promise<void> {
    await this.auditLog.append({ workspaceId, mode, actor, action, target: { id, name: label } });
    this.unitOfWork.afterCommit(waitForExpiry);
  }
}
