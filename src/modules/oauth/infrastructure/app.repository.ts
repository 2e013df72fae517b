import { Injectable } from '@nestjs/common';
import { type AppId, toUuid } from '../../../kernel/ids';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { AppRepository } from '../application/app-repository';
import type { App } from '../domain/app';
import { AppSchema } from './app.schema';

@Injectable()
export class PostgresAppRepository extends AppRepository {
  private readonly statements: EntityStatements<App>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(AppSchema);
  }

  async add(app: App): Promise<void> {
    await this.database.query(this.statements.insert(app));
  }

  async find(id: AppId): Promise<App | undefined> {
    const [app] = await this.all('AND id = $1', toUuid(id));
    return app;
  }

  async lock(id: AppId): Promise<App | undefined> {
    const [app] = await this.all('AND id = $1 FOR UPDATE', toUuid(id));
    return app;
  }

  async save(app: App): Promise<void> {
    await this.database.query(this.statements.update(app));
  }

  list(): Promise<App[]> {
    return this.all('ORDER BY created_at, id');
  }

  async delete(id: AppId, now: Date): Promise<void> {
    await this.database.sql('UPDATE oauth_apps SET deleted_at = $2 WHERE id = $1', [toUuid(id), now]);
  }

  private async all(condition: string, ...values: unknown[]): Promise<App[]> {
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE deleted_at IS NULL ${condition}`,
      values,
    );
    return rows.map(this.statements.read);
  }
}
