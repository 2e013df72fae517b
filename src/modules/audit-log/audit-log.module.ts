import { Module } from '@nestjs/common';
import { AuditLog } from './application/audit-log';
import { AuditLogQueries, AuditLogReader } from './application/audit-log-queries';
import { AuditActions } from './domain/audit-actions';
import { PostgresAuditLog } from './infrastructure/audit-log.repository';
import { PostgresAuditLogReader } from './infrastructure/audit-log.reader';

@Module({
  providers: [
    AuditActions,
    AuditLogQueries,
    { provide: AuditLog, useClass: PostgresAuditLog },
    { provide: AuditLogReader, useClass: PostgresAuditLogReader },
  ],
  exports: [AuditActions, AuditLog, AuditLogQueries],
})
export class AuditLogModule {}
