import { Injectable } from '@nestjs/common';
import {
  Database,
  type DomainEvent,
  EntityStatements,
  foldText,
  type LeadId,
  pageQuery,
  type PageRequest,
  type PageRow,
  Parameters,
  type Slice,
  toSlice,
  toUuid,
  TypeOrmUnitOfWork,
  withEvents,
  type WorkspaceRef,
} from 'gala';
import { DataSource } from 'typeorm';
import { type AccountFilter, LoyaltyAccountRepository } from '../application/loyalty-account-repository';
import { LoyaltyAccount, type LoyaltyAccountId, type LoyaltyAccountView } from '../domain/loyalty-account';
import { LoyaltyAccountSchema } from './loyalty-account.schema';

@Injectable()
export class SqlLoyaltyAccountRepository extends LoyaltyAccountRepository {
  private readonly statements: EntityStatements<LoyaltyAccount>;

  constructor(
    dataSource: DataSource,
    private readonly database: Database,
    private readonly unitOfWork: TypeOrmUnitOfWork,
  ) {
    super();
    this.statements = new EntityStatements(dataSource, LoyaltyAccountSchema);
  }

  async noteBooking({ workspaceId, mode }: WorkspaceRef, leadId: LeadId): Promise<boolean> {
    const noted = await this.database.query({
      text: `INSERT INTO loyalty_bookings (workspace_id, mode, lead_id) VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING RETURNING lead_id`,
      values: [toUuid(workspaceId), mode, toUuid(leadId)],
    });
    return noted.length > 0;
  }

  async addIfNew(account: LoyaltyAccount): Promise<void> {
    const { text, values } = this.statements.insert(account);
    await this.database.query({ text: `${text} ON CONFLICT DO NOTHING`, values });
  }

  async lock(
    { workspaceId, mode }: WorkspaceRef,
    which: { id: LoyaltyAccountId } | { email: string },
  ): Promise<LoyaltyAccount | undefined> {
    const one = 'id' in which ? which : { email: foldText(which.email) };
    const account = await this.unitOfWork.manager.findOne(LoyaltyAccount, {
      where: { workspaceId, mode, ...one },
      lock: { mode: 'for_no_key_update' },
    });
    return account ?? undefined;
  }

  async lockUnused(since: Date): Promise<LoyaltyAccount | undefined> {
    const [row] = await this.database.query<object>({
      text: `SELECT * FROM loyalty_accounts WHERE points > 0 AND updated_at < $1
             ORDER BY updated_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
      values: [since],
    });
    return row && this.statements.read(row);
  }

  async save(account: LoyaltyAccount, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(account), events));
  }

  async find(
    { workspaceId, mode }: WorkspaceRef,
    id: LoyaltyAccountId,
  ): Promise<LoyaltyAccountView | undefined> {
    const [row] = await this.database.query<object>({
      text: `SELECT * FROM loyalty_accounts WHERE workspace_id = $1 AND mode = $2 AND id = $3`,
      values: [toUuid(workspaceId), mode, toUuid(id)],
    });
    return row && this.statements.read(row).view();
  }

  async list(
    { workspaceId, mode }: WorkspaceRef,
    { email }: AccountFilter,
    request: PageRequest<'createdAt'>,
  ): Promise<Slice<LoyaltyAccountView>> {
    const parameters = new Parameters();
    const text = pageQuery({
      columns: 'workspace_id, mode, id, email, points, created_at, updated_at',
      from: 'loyalty_accounts',
      conditions: [
        `workspace_id = ${parameters.add(toUuid(workspaceId))}`,
        `mode = ${parameters.add(mode)}`,
        ...(email ? [`email = ${parameters.add(foldText(email))}`] : []),
      ],
      parameters,
      sort: { column: 'created_at', type: 'timestamptz', nullable: false },
      request,
      afterId: request.after && toUuid(request.after.id as LoyaltyAccountId),
    });
    const rows = await this.database.query<PageRow<{ id: string }>>({ text, values: parameters.values });
    return toSlice(rows, request.limit, (row) => this.statements.read(row).view());
  }
}
