import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Response } from 'express';
import { actorOf } from '../../../kernel/actor';
import type { Page } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { FileBody } from '../../../platform/http/file-body.decorator';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { OptionalBody } from '../../../platform/http/optional-body.decorator';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { TextFiles } from '../../../platform/http/text-files';
import { ScansRows } from '../../../platform/http/scans-rows.decorator';
import { Describe, DescribeGroup, DescribeList, DescribeText } from '../../../platform/openapi/describe';
import { ChangeImport } from '../application/change-import';
import { CreateImport } from '../application/create-import';
import { failedRowsText } from '../application/failed-rows-text';
import { ImportQueries } from '../application/import-queries';
import type { RowResult } from '../application/import-rows';
import type { ImportView } from '../domain/import-view';
import { DEFAULT_OPTIONS } from '../domain/import-options';
import { FileUpload, UploadedFileId } from './file-upload';
import {
  CreateImportBody,
  IMPORT,
  ImportResponse,
  ImportRowResponse,
  ListImportRowsQuery,
  optionsOf,
  UpdateImportBody,
} from './import.dto';

const WHEN = '2027-01-15T09:31:00.000Z';
const NOT_FOUND_YET = {
  columns: [],
  preview: [],
  problems: [],
  rows: null,
  willCreate: null,
  willUpdate: null,
  willFail: null,
};
const IN_PLACE = { ...NOT_FOUND_YET, encoding: null, delimiter: null };

@Controller('/v1/imports')
@DescribeGroup({
  name: 'Imports',
  description:
    'Leads from a CSV file: create an import, send the file, look at what was found, start it, and get the rows that failed.',
})
export class ImportsController {
  constructor(
    private readonly createImport: CreateImport,
    private readonly changeImport: ChangeImport,
    private readonly queries: ImportQueries,
    private readonly textFiles: TextFiles,
  ) {}

  @Post()
  @OptionalBody()
  @RequireScope('leads:write')
  @Describe({
    operationId: 'createImport',
    summary: 'Create an import',
    description: 'It then awaits its file. A workspace has at most 100 imports that haven’t ended.',
    status: 201,
    request: { matchBy: 'email', onExisting: 'fill' },
    response: ImportResponse,
    answer: { ...IN_PLACE, status: 'awaiting_file' },
  })
  create(@Caller() caller: Principal, @Body() body: CreateImportBody): Promise<ImportView> {
    return this.createImport.execute(caller, actorOf(caller), optionsOf(body, DEFAULT_OPTIONS));
  }

  @Get()
  @ScansRows()
  @RequireScope('leads:write')
  @DescribeList({
    operationId: 'listImports',
    summary: 'List imports',
    description: 'The newest first.',
    item: ImportResponse,
    list: 'ImportList',
  })
  list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<ImportView>> {
    const sort = { field: 'createdAt', descending: true } as const;
    return this.queries.list(
      caller,
      toPageRequest(query, { list: 'imports', sort, kind: 'instant', idPrefix: 'imp' }),
    );
  }

  @Get(':id')
  @RequireScope('leads:write')
  @Describe({
    operationId: 'getImport',
    summary: 'Get an import',
    description: 'Its status and how far it is. Files and rows are dropped 30 days after it was created.',
    object: IMPORT,
    response: ImportResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ImportView> {
    return this.queries.get(caller, IMPORT.read(id));
  }

  @Patch(':id')
  @RequireScope('leads:write')
  @Describe({
    operationId: 'updateImport',
    summary: 'Update an import',
    description:
      'Changes the given options, until it starts; `null` goes back to the default. A file that was sent is checked again.',
    object: IMPORT,
    request: { dateFormat: 'DD/MM/YYYY' },
    response: ImportResponse,
    answer: { ...IN_PLACE, dateFormat: 'DD/MM/YYYY', status: 'checking', updatedAt: WHEN, revision: 4 },
    invalid: {
      field: 'mapping[0].column',
      message: 'is no column of the file: its columns are Name, E-Mail',
    },
  })
  update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: UpdateImportBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ImportView> {
    return this.changeImport.update(caller, IMPORT.read(id), optionsOf(body, DEFAULT_OPTIONS), seen);
  }

  @Post(':id/file')
  @HttpCode(200)
  @RequireScope('leads:write')
  @FileBody('text/csv')
  @UseInterceptors(FileUpload)
  @ApiConsumes('text/csv')
  @ApiBody({ schema: { type: 'string' }, required: true })
  @Describe({
    operationId: 'uploadImportFile',
    summary: 'Upload the file of an import',
    description:
      'CSV with a line of headers, at most 128 MiB and 1,000,000 rows, as the body. It replaces the file before it, and is then checked: get the import until its status is `ready`, or `failed` with the line and reason in `failure`.',
    object: IMPORT,
    request: 'Name,E-Mail\nAna Pérez,ana@example.com\n' as unknown as object,
    response: ImportResponse,
    answer: { ...IN_PLACE, status: 'checking', updatedAt: WHEN, revision: 2 },
    invalid: { field: 'status', message: 'the import is completed; create another one' },
  })
  upload(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @UploadedFileId() fileId: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ImportView> {
    return this.changeImport.takeFile(caller, IMPORT.read(id), fileId, seen);
  }

  @Post(':id/start')
  @HttpCode(200)
  @RequireScope('leads:write')
  @Describe({
    operationId: 'startImport',
    summary: 'Start an import',
    description:
      'Once it is ready and every question is answered. Rows that have a problem fail alone. One import of a workspace runs at a time; one that runs is left as it is.',
    object: IMPORT,
    response: ImportResponse,
    answer: { status: 'importing', preview: [], startedAt: WHEN, updatedAt: WHEN, revision: 4 },
    invalid: { field: 'status', message: 'the import is checking: it can start once it is ready' },
  })
  start(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ImportView> {
    return this.changeImport.start(caller, IMPORT.read(id), seen);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('leads:write')
  @Describe({
    operationId: 'cancelImport',
    summary: 'Cancel an import',
    description: 'Leads that it has created or changed stay as they are. A cancelled one is left as it is.',
    object: IMPORT,
    response: ImportResponse,
    answer: { status: 'cancelled', finishedAt: WHEN, updatedAt: WHEN, revision: 4 },
    invalid: { field: 'status', message: 'the import is completed: it can’t be cancelled' },
  })
  cancel(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<ImportView> {
    return this.changeImport.cancel(caller, IMPORT.read(id), seen);
  }

  @Get(':id/rows')
  @ScansRows()
  @RequireScope('leads:write')
  @DescribeList({
    operationId: 'listImportRows',
    summary: 'List the rows of an import',
    description: 'The results of rows that were imported, in the order of the file.',
    object: IMPORT,
    item: ImportRowResponse,
    list: 'ImportRowList',
  })
  listRows(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: ListImportRowsQuery,
  ): Promise<Page<RowResult>> {
    const importId = IMPORT.read(id);
    const { status } = query;
    const request = toPageRequest(query, {
      list: 'import rows',
      filters: { importId, status },
      sort: { field: 'number', descending: false },
      kind: 'integer',
      idPrefix: /^\d{1,9}$/,
    });
    return this.queries.listRows(caller, importId, status, request);
  }

  @Get(':id/failed.csv')
  @RequireScope('leads:write')
  @DescribeText({
    operationId: 'downloadFailedImportRows',
    summary: 'Download the failed rows of an import',
    description:
      'As CSV in UTF-8: the cells as they were, the line and the problems. Correct the rows, and send the file to another import.',
    object: IMPORT,
    examples: {
      'text/csv':
        'Name,E-Mail,Line,Problem\r\nAna Pérez,ana@,2,email: must be an e-mail address such as ana@example.com\r\n',
    },
  })
  async failed(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const importId = IMPORT.read(id);
    const rows = await this.queries.failedRows(caller, importId);
    await this.textFiles.sendCsv(response, `${importId}-failed.csv`, failedRowsText(rows));
  }
}
