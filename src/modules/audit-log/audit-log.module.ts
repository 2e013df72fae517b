import { Module } from '@nestjs/common';
import { SettingsNavigation } from '../shell';
import { AuditLog } from './application/audit-log';
import { AuditLogQueries, AuditLogReader } from './application/audit-log-queries';
import { AuditActions } from './domain/audit-actions';
import { PostgresAuditLogReader } from './infrastructure/audit-log.reader';
import { PostgresAuditLog } from './infrastructure/audit-log.repository';
import { AuditLogController } from './pages/audit-log.controller';

@Module({
  controllers: [AuditLogController],
  providers: [
    AuditActions,
    AuditLogQueries,
    { provide: AuditLog, useClass: PostgresAuditLog },
    { provide: AuditLogReader, useClass: PostgresAuditLogReader },
  ],
  exports: [AuditActions, AuditLog, AuditLogQueries],
})
export class AuditLogModule {
  constructor(navigation: SettingsNavigation) {
    navigation.add({
      group: 'Workspace',
      label: 'Audit log',
      path: 'audit-log',
      least: 'admin',
      position: 3,
    });
  }
}
