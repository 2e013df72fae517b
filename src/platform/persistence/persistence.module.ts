import { Global, Module } from '@nestjs/common';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { Database } from './database';
import { DatabaseProbe } from './database-probe';
import { JobDatabase } from './job-database';
import { ReportDatabase } from './report-database';
import { Notifications } from './notifications';
import { PostgresUnitOfWork } from './unit-of-work';

@Global()
@Module({
  providers: [
    { provide: UnitOfWork, useExisting: PostgresUnitOfWork },
    Database,
    DatabaseProbe,
    JobDatabase,
    ReportDatabase,
    Notifications,
    PostgresUnitOfWork,
  ],
  exports: [
    UnitOfWork,
    Database,
    DatabaseProbe,
    JobDatabase,
    ReportDatabase,
    Notifications,
    PostgresUnitOfWork,
  ],
})
export class PersistenceModule {}
