import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from './database';
import { connectionOptions } from './pool';
import { PostgresUnitOfWork } from './unit-of-work';

const CONNECTIONS = 2;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Runs the SQL of background jobs on connections of their own. If jobs shared the pool of the requests, a job of several
 * statements would queue behind requests for each of them, and fall behind for as long as the load lasts.
 */
@Injectable()
export class JobDatabase extends Database implements OnApplicationShutdown {
  constructor(dataSource: DataSource, unitOfWork: PostgresUnitOfWork) {
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
