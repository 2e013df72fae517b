import { Module } from '@nestjs/common';
import { SettingsNavigation } from '../shell';
import { ChangeImport } from './application/change-import';
import { CheckFile } from './application/check-file';
import { CheckQueue } from './application/check-queue';
import { CreateImport } from './application/create-import';
import { CsvReader } from './application/csv-reader';
import { DropImports } from './application/drop-imports';
import { ImportFiles } from './application/import-files';
import { ImportLeads } from './application/import-leads';
import { ImportQueries } from './application/import-queries';
import { ImportRepository } from './application/import-repository';
import { ImportRows } from './application/import-rows';
import { LeadReferences } from './application/lead-references';
import { OptionChecks } from './application/option-checks';
import { ReceiveFile } from './application/receive-file';
import { RunImport } from './application/run-import';
import { ImportsController } from './http/imports.controller';
import { PostgresCheckQueue } from './infrastructure/check-queue';
import { CsvParser } from './infrastructure/csv-parser';
import { FileChecker } from './infrastructure/file-checker';
import { PostgresImportFiles } from './infrastructure/import-files.store';
import { PostgresImportRows } from './infrastructure/import-rows.store';
import { ImportRunner } from './infrastructure/import-runner';
import { PostgresImportRepository } from './infrastructure/import.repository';
import { ImportPagesController } from './pages/import-pages.controller';

@Module({
  controllers: [ImportsController, ImportPagesController],
  providers: [
    ChangeImport,
    CheckFile,
    CreateImport,
    DropImports,
    FileChecker,
    ImportLeads,
    ImportQueries,
    ImportRunner,
    LeadReferences,
    OptionChecks,
    ReceiveFile,
    RunImport,
    { provide: CheckQueue, useClass: PostgresCheckQueue },
    { provide: CsvReader, useClass: CsvParser },
    { provide: ImportFiles, useClass: PostgresImportFiles },
    { provide: ImportRepository, useClass: PostgresImportRepository },
    { provide: ImportRows, useClass: PostgresImportRows },
  ],
})
export class ImportsModule {
  constructor(navigation: SettingsNavigation) {
    navigation.add({ group: 'Sales', label: 'Import', path: ':mode/imports', least: 'admin', position: 9 });
  }
}
