import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { SpaceId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Precondition } from '../../../kernel/precondition';
import { AuditLog } from '../../audit-log';
import { type NewSpace, Space, type SpaceFields, type SpaceView } from '../domain/space';
import type { CalendarAction } from './calendar-actions';
import { SpaceRepository } from './space-repository';

/** Limits the size of the response about a year's availability. */
const MAX_SPACES = 100;

@Injectable()
export class ManageSpaces {
  constructor(
    private readonly spaces: SpaceRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  create(ref: WorkspaceRef, actor: Actor, fields: NewSpace): Promise<SpaceView> {
    return this.unitOfWork.run(async () => {
      await this.refuseTooMany(ref);
      const space = Space.open(ref, fields, this.clock.now());
      await this.spaces.add(space);
      await this.record('space.created', actor, space);
      return space.view();
    });
  }

  update(
    ref: WorkspaceRef,
    actor: Actor,
    id: SpaceId,
    changes: Partial<SpaceFields>,
    seen?: Precondition,
  ): Promise<SpaceView> {
    return this.change(ref, actor, id, 'space.updated', (space, now) => space.change(changes, now), seen);
  }

  archive(ref: WorkspaceRef, actor: Actor, id: SpaceId, seen?: Precondition): Promise<SpaceView> {
    return this.change(ref, actor, id, 'space.archived', (space, now) => space.archive(now), seen);
  }

  async restore(ref: WorkspaceRef, actor: Actor, id: SpaceId, seen?: Precondition): Promise<SpaceView> {
    return this.unitOfWork.run(async () => {
      const isArchived = (await this.spaces.find(ref, [id]))[0]?.archivedAt;
      if (isArchived) await this.refuseTooMany(ref);
      return this.change(ref, actor, id, 'space.restored', (space, now) => space.restore(now), seen);
    });
  }

  /** `apply` returns whether it changed anything. */
  private change(
    ref: WorkspaceRef,
    actor: Actor,
    id: SpaceId,
    action: CalendarAction,
    apply: (space: Space, now: Date) => boolean,
    seen?: Precondition,
  ): Promise<SpaceView> {
    return this.unitOfWork.run(async () => {
      const [space] = await this.spaces.lock(ref, [id]);
      if (!space) throw new NotFound('space');
      seen?.check(space.view());
      if (apply(space, this.clock.now())) {
        await this.spaces.save(space);
        await this.record(action, actor, space);
      }
      return space.view();
    });
  }

  private async refuseTooMany(ref: WorkspaceRef): Promise<void> {
    if ((await this.spaces.lockAndCount(ref)) < MAX_SPACES) return;
    throw new ValidationFailed({
      field: 'name',
      message: `can’t be added: there are ${MAX_SPACES} spaces already; archive one first`,
    });
  }

  private record(
    action: CalendarAction,
    actor: Actor,
    { workspaceId, mode, id, name }: Space,
  ): Promise<void> {
    return this.auditLog.append({ workspaceId, mode, actor, action, target: { id, name } });
  }
}
