import { Injectable } from '@nestjs/common';
import { type AppId, fromUuid, toUuid } from '../../../kernel/ids';
import { Database } from '../../../platform/persistence/database';
import { AppRepository } from '../application/app-repository';
import { App } from '../domain/app';

interface Row {
  id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  secret_hash: Buffer | null;
  created_at: Date;
}

const SELECT = `SELECT id, name, redirect_uris, scopes, secret_hash, created_at FROM oauth_apps`;

@Injectable()
export class SqlAppRepository extends AppRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add({ id, name, redirectUris, scopes, secretHash, createdAt }: App): Promise<void> {
    await this.run(
      `INSERT INTO oauth_apps (id, name, redirect_uris, scopes, secret_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
      toUuid(id),
      name,
      redirectUris,
      scopes,
      secretHash,
      createdAt,
    );
  }

  async find(id: AppId): Promise<App | undefined> {
    const [row] = await this.run(`${SELECT} WHERE id = $1 AND deleted_at IS NULL`, toUuid(id));
    return row && toApp(row);
  }

  async lock(id: AppId): Promise<App | undefined> {
    const [row] = await this.run(`${SELECT} WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`, toUuid(id));
    return row && toApp(row);
  }

  async save({ id, name, redirectUris, scopes, secretHash }: App): Promise<void> {
    await this.run(
      'UPDATE oauth_apps SET name = $2, redirect_uris = $3, scopes = $4, secret_hash = $5 WHERE id = $1',
      toUuid(id),
      name,
      redirectUris,
      scopes,
      secretHash,
    );
  }

  async list(): Promise<App[]> {
    return (await this.run(`${SELECT} WHERE deleted_at IS NULL ORDER BY created_at, id`)).map(toApp);
  }

  async delete(id: AppId, now: Date): Promise<void> {
    await this.run('UPDATE oauth_apps SET deleted_at = $2 WHERE id = $1', toUuid(id), now);
  }

  private run(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.database.query<Row>({ text, values });
  }
}

function toApp(row: Row): App {
  return App.from({
    id: fromUuid('app', row.id),
    name: row.name,
    redirectUris: row.redirect_uris,
    scopes: row.scopes,
    secretHash: row.secret_hash,
    createdAt: row.created_at,
  });
}
