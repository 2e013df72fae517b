import { Injectable } from '@nestjs/common';
import { fromUuid, toUuid, type WorkspaceId } from '../../../kernel/ids';
import { TypeOrmUnitOfWork } from '../../../platform/persistence/typeorm-unit-of-work';
import { type WorkspaceOverview, WorkspaceRepository } from '../application/workspace-repository';
import { type Role, User, Workspace } from '../domain/workspace';

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

  async findOrAddUser(user: User): Promise<User> {
    const { manager } = this.unitOfWork;
    await manager.query(
      `INSERT INTO users (id, email, created_at) VALUES ($1, $2, $3) ON CONFLICT (lower(email)) DO NOTHING`,
      [toUuid(user.id), user.email, user.createdAt],
    );
    return manager
      .createQueryBuilder(User, 'user')
      .where('lower(user.email) = lower(:email)', { email: user.email })
      .getOneOrFail();
  }

  async addMember(workspace: Workspace, user: User, role: Role): Promise<void> {
    await this.unitOfWork.manager.query(
      `INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, $3)`,
      [toUuid(workspace.id), toUuid(user.id), role],
    );
  }
}
