import { Injectable } from '@nestjs/common';
import {
  Database,
  type DomainEvent,
  type EntityStatements,
  foldText,
  IN_WORKSPACE,
  type LeadId,
  type PageRequest,
  Parameters,
  readSlice,
  type Slice,
  withEvents,
  workspaceKey,
  type WorkspaceRef,
} from 'gala';
import {
  type AccountFilter,
  type AccountSort,
  LoyaltyAccountRepository,
} from '../application/loyalty-account-repository';
import type { LoyaltyAccount, LoyaltyAccountId, LoyaltyAccountView } from '../domain/loyalty-account';
import { LoyaltyAccountSchema } from './loyalty-account.schema';

@Injectable()
export class PostgresLoyaltyAccountRepository extends LoyaltyAccountRepository {
  private readonly statements: EntityStatements<LoyaltyAccount>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(LoyaltyAccountSchema);
  }

  async noteBooking(ref: WorkspaceRef, leadId: LeadId, points: number, now: Date): Promise<boolean> {
    const noted = await this.database.sql(
      `INSERT INTO loyalty_bookings (workspace_id, mode, lead_id, points, earned_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING lead_id`,
      [...workspaceKey(ref, leadId), points, now],
    );
    return noted.length > 0;
  }

  async addIfNew(account: LoyaltyAccount): Promise<void> {
    const { text, values } = this.statements.insert(account);
    await this.database.query({ text: `${text} ON CONFLICT DO NOTHING`, values });
  }

  async lock(
    ref: WorkspaceRef,
    which: { id: LoyaltyAccountId } | { email: string },
  ): Promise<LoyaltyAccount | undefined> {
    const { select, selectByKey } = this.statements;
    const rows =
      'id' in which
        ? this.database.sql<object>(`${selectByKey} FOR NO KEY UPDATE`, workspaceKey(ref, which.id))
        : this.database.sql<object>(`${select} WHERE ${IN_WORKSPACE} AND email = $3 FOR NO KEY UPDATE`, [
            ...workspaceKey(ref),
            foldText(which.email),
          ]);
    const [row] = await rows;
    return row && this.statements.read(row);
  }

  async lockUnused(since: Date): Promise<LoyaltyAccount | undefined> {
    const [row] = await this.database.sql<object>(
      `${this.statements.select} WHERE points > 0 AND updated_at < $1
       ORDER BY updated_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
      [since],
    );
    return row && this.statements.read(row);
  }

  async save(account: LoyaltyAccount, events: DomainEvent[]): Promise<void> {
    await this.database.query(withEvents(this.statements.update(account), events));
  }

  async find(ref: WorkspaceRef, id: LoyaltyAccountId): Promise<LoyaltyAccountView | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.statements.read(row).view();
  }

  async findByEmail(ref: WorkspaceRef, email: string): Promise<LoyaltyAccountView | undefined> {
    const text = `${this.statements.select} WHERE ${IN_WORKSPACE} AND email = $3`;
    const [row] = await this.database.sql<object>(text, [...workspaceKey(ref), foldText(email)]);
    return row && this.statements.read(row).view();
  }

  list(
    ref: WorkspaceRef,
    { email }: AccountFilter,
    request: PageRequest<AccountSort>,
  ): Promise<Slice<LoyaltyAccountView>> {
    const parameters = new Parameters();
    const conditions = [
      ...parameters.inWorkspace(ref),
      ...parameters.when(email ? foldText(email) : undefined, (place) => `email = ${place}`),
    ];
    const source = this.statements.sortedBy(request.sort.field);
    return readSlice(this.database, { ...source, conditions, parameters, request }, (row) =>
      this.statements.read(row).view(),
    );
  }
}
