import { Module } from '@nestjs/common';
import { AuditLog } from './application/audit-log';
import { AuditLogQueries, AuditLogReader } from './application/audit-log-queries';
import { AuditActions } from './domain/audit-actions';
import { SqlAuditLog } from './infrastructure/sql-audit-log';
import { SqlAuditLogReader } from './infrastructure/sql-audit-log-reader';

@Module({
  providers: [
    AuditActions,
    AuditLogQueries,
    { provide: AuditLog, useClass: SqlAuditLog },
    { provide: AuditLogReader, useClass: SqlAuditLogReader },
  ],
  exports: [AuditActions, AuditLog, AuditLogQueries],
})
export class AuditLogModule {}
