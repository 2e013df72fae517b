import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from './database';
import { connectionOptions } from './pool';
import { TypeOrmUnitOfWork } from './typeorm-unit-of-work';

const CONNECTIONS = 2;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * For background jobs: on connections of their own, which they don't share with requests. While those queue for the others,
 * a job that takes several statements for each portion would fall behind for as long as the load lasts.
 */
@Injectable()
export class JobDatabase extends Database implements OnApplicationShutdown {
  constructor(dataSource: DataSource, unitOfWork: TypeOrmUnitOfWork) {
    super(dataSource, unitOfWork);
    const { url } = dataSource.options as { url?: string };
    this.pool = new Pool({
      ...connectionOptions(STATEMENT_TIMEOUT_MS),
      connectionString: url,
      application_name: 'gala-jobs',
      max: CONNECTIONS,
    }).on('error', () => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
