import { Injectable } from '@nestjs/common';
import { fromUuid, type WorkspaceId } from '../../../kernel/ids';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { type WorkspaceOverview, WorkspaceRepository } from '../application/workspace-repository';
import { Workspace } from '../domain/workspace';

@Injectable()
export class TypeOrmWorkspaceRepository extends WorkspaceRepository {
  constructor(private readonly unitOfWork: TypeOrmUnitOfWork) {
    super();
  }

  async add(workspace: Workspace): Promise<void> {
    await this.unitOfWork.manager.insert(Workspace, workspace);
  }

  async find(id: WorkspaceId): Promise<Workspace | undefined> {
    return (await this.unitOfWork.manager.findOneBy(Workspace, { id })) ?? undefined;
  }

  async lock(id: WorkspaceId): Promise<Workspace | undefined> {
    // The weakest lock that does: rows that refer to the workspace can still be added meanwhile.
    const lock = { mode: 'for_no_key_update' } as const;
    return (await this.unitOfWork.manager.findOne(Workspace, { where: { id }, lock })) ?? undefined;
  }

  async save({ id, name, timeZone, currency, locale }: Workspace): Promise<void> {
    await this.unitOfWork.manager.update(Workspace, { id }, { name, timeZone, currency, locale });
  }

  async list(): Promise<WorkspaceOverview[]> {
    const rows = await this.unitOfWork.manager.query<(Omit<WorkspaceOverview, 'id'> & { id: string })[]>(`
      SELECT w.id, w.name, w.time_zone AS "timeZone", w.currency, w.created_at AS "createdAt",
             coalesce(array_agg(u.email ORDER BY u.email) FILTER (WHERE u.id IS NOT NULL), '{}') AS owners
      FROM workspaces w
      LEFT JOIN memberships m ON m.workspace_id = w.id AND m.role = 'owner'
      LEFT JOIN users u ON u.id = m.user_id
      GROUP BY w.id ORDER BY w.created_at, w.id`);
    return rows.map((row) => ({ ...row, id: fromUuid('ws', row.id) }));
  }
}
