import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { resourceFields, Field } from '../../../platform/http/field';
import { isObject, objectList, oneOf, rule, text } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { exampleId, PathId } from '../../../platform/http/path-id';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { REVISION, TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { ROW_STATUSES, type RowResult, type RowStatus } from '../application/import-rows';
import {
  type Failure,
  IMPORT_STATUSES,
  type Importer,
  type ImportStatus,
  type ImportView,
} from '../domain/import-view';
import {
  type ColumnMapping,
  DATE_FORMATS,
  type DateFormat,
  type Delimiter,
  DELIMITERS,
  type Encoding,
  ENCODINGS,
  type ImportOptions,
  MATCH_BY,
  type MatchBy,
  ON_EMPTY,
  ON_EXISTING,
  ON_MULTIPLE,
} from '../domain/import-options';
import type { FileColumn, PreviewRow, ProblemGroup, Question } from '../domain/report';

export const IMPORT = new PathId('imp', 'import');

const MAX_COLUMNS = 500;
const anyFields = rule({ type: 'object', additionalProperties: true }, (value) =>
  isObject(value) ? undefined : 'must be an object',
);

@ApiSchema({ name: 'ImportColumnMapping' })
export class ColumnMappingBody implements ColumnMapping {
  @Field({
    rule: text(1000),
    presence: 'required',
    description:
      'The `name` of a column of the file: its header, or `Email (2)` for the second column with that header.',
    example: 'E-Mail',
  })
  column!: string;

  @Field({
    rule: text(100),
    presence: 'required',
    description:
      'The field of the lead, or `custom.<key>`. Several columns can have `name` or `tags`, which are put together.',
    example: 'email',
  })
  field!: string;
}

const { field, shown } = resourceFields({
  matchBy: {
    rule: oneOf(MATCH_BY),
    description: 'How a row finds the lead that it changes; `none` creates a lead for each row.',
    example: 'email',
  },
  onExisting: {
    rule: oneOf(ON_EXISTING),
    description:
      '`overwrite` writes the cells; `fill` writes empty fields alone and never moves a stage back.',
    example: 'fill',
  },
  onMultiple: {
    rule: oneOf(ON_MULTIPLE),
    description: 'Of several leads that match, `newest` changes one, and `refuse` none: the row fails.',
    example: 'refuse',
  },
  onEmpty: {
    rule: oneOf(ON_EMPTY),
    description: 'Whether an empty cell keeps or clears the field of a lead that is there already.',
    example: 'keep',
  },
  defaults: {
    rule: anyFields,
    description: 'Fields of leads that the import creates, where the row gives none.',
    example: { source: 'wedding fair' },
  },
  mapping: {
    rule: objectList(() => ColumnMappingBody, MAX_COLUMNS),
    description: 'Which column is for which field; others are left out. Without it the headers decide.',
    example: [{ column: 'E-Mail', field: 'email' }],
  },
  delimiter: {
    rule: oneOf(DELIMITERS),
    description: 'Between cells. Without it the file decides.',
    example: ';',
  },
  encoding: {
    rule: oneOf(ENCODINGS),
    description: 'Needed unless the file is UTF-8, or UTF-16 with a byte order mark.',
    example: 'windows-1252',
  },
  dateFormat: {
    rule: oneOf(DATE_FORMATS),
    description: 'The order of dates such as 05/06/2027. The year may always come first.',
    example: 'DD/MM/YYYY',
  },
});

/** Null leaves a choice to the default or to the file. */
class ImportOptionsBody implements Partial<Record<keyof ImportOptions, unknown>> {
  @field('matchBy', 'nullable') matchBy?: MatchBy | null;
  @field('onExisting', 'nullable') onExisting?: ImportOptions['onExisting'] | null;
  @field('onMultiple', 'nullable') onMultiple?: ImportOptions['onMultiple'] | null;
  @field('onEmpty', 'nullable') onEmpty?: ImportOptions['onEmpty'] | null;
  @field('defaults', 'nullable') defaults?: Record<string, unknown> | null;
  @field('mapping', 'nullable') mapping?: ColumnMappingBody[] | null;
  @field('delimiter', 'nullable') delimiter?: Delimiter | null;
  @field('encoding', 'nullable') encoding?: Encoding | null;
  @field('dateFormat', 'nullable') dateFormat?: DateFormat | null;
}

export class CreateImportBody extends ImportOptionsBody {}
export class UpdateImportBody extends ImportOptionsBody {}

export class ListImportRowsQuery extends PageQuery {
  @QueryParameter({ rule: oneOf(ROW_STATUSES), description: 'With that result.' }) status?: RowStatus;
}

@ApiSchema({ name: 'ImportColumn' })
class ColumnResponse implements Record<keyof FileColumn, unknown> {
  @ApiProperty({ description: 'Unlike that of every other column.', example: 'E-Mail' }) name!: string;
  @ApiProperty({ example: 'E-Mail' }) header!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The field that it is mapped to, or that its header suggests; null if it is left out.',
    example: 'email',
  })
  field!: string | null;
  @ApiProperty({ type: [String], description: 'Its first cells.', example: ['ana@example.com'] })
  samples!: string[];
}

@ApiSchema({ name: 'ImportProblem' })
class RowProblemResponse {
  @ApiProperty({ description: 'The field of the lead; `row` for the row as a whole.', example: 'email' })
  field!: string;
  @ApiProperty({ example: 'is required' }) message!: string;
}

@ApiSchema({ name: 'ImportProblemGroup' })
class ProblemGroupResponse implements Record<keyof ProblemGroup, unknown> {
  @ApiProperty({ example: 'email' }) field!: string;
  @ApiProperty({ example: 'is required' }) message!: string;
  @ApiProperty({ type: 'integer', description: 'How many rows have it.', example: 1 }) count!: number;
  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    description: 'The first lines of the file that have it.',
    example: [7],
  })
  lines!: number[];
}

@ApiSchema({ name: 'ImportPreviewRow' })
class PreviewRowResponse implements Record<keyof PreviewRow, unknown> {
  @ApiProperty({ type: 'integer', description: 'Of the file, from 1.', example: 2 }) line!: number;
  @ApiProperty({ enum: ['created', 'updated', 'failed'], example: 'created' }) willBe!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The fields that the row gives the lead. Long texts are cut.',
    example: { email: 'ana@example.com' },
  })
  lead!: Record<string, unknown>;
  @ApiProperty({ type: [RowProblemResponse], example: [] }) problems!: RowProblemResponse[];
}

@ApiSchema({ name: 'ImportQuestion' })
class QuestionResponse implements Record<keyof Question, unknown> {
  @ApiProperty({ description: 'The option of the import that answers it.', example: 'dateFormat' })
  field!: string;
  @ApiProperty({ example: 'Date' }) column!: string;
  @ApiProperty({ type: [String], example: ['DD/MM/YYYY', 'MM/DD/YYYY'] }) options!: string[];
  @ApiProperty({ type: [String], example: ['05/06/2027'] }) samples!: string[];
  @ApiProperty({
    example: 'must be given: the dates of the column “Date” can be read as DD/MM/YYYY and as MM/DD/YYYY',
  })
  message!: string;
}

@ApiSchema({ name: 'ImportFailure' })
class FailureResponse implements Record<keyof Failure, unknown> {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Of the file, from 1.', example: 3 })
  line!: number | null;
  @ApiProperty({ example: 'a quotation mark is opened in this row and never closed' }) message!: string;
}

@ApiSchema({ name: 'Importer' })
class ImporterResponse implements Record<keyof Importer, unknown> {
  @ApiProperty({ enum: ['api_key', 'oauth', 'user', 'operator'], example: 'api_key' }) type!: string;
  @ApiProperty({ type: String, nullable: true, example: exampleId('key') }) id!: string | null;
  @ApiProperty({ description: 'The name of a key or app, or a person’s email.', example: 'CRM sync' })
  name!: string;
}

@ApiSchema({ name: 'Import' })
export class ImportResponse implements Record<keyof ImportView, unknown> {
  @ApiProperty({ example: IMPORT.example }) id!: string;
  @ApiProperty({
    enum: IMPORT_STATUSES,
    description:
      '`failed` before it has started: the file can’t be read; send another one, or change the options. Otherwise it can’t go on.',
    example: 'ready',
  })
  status!: ImportStatus;
  @shown('matchBy') matchBy!: MatchBy;
  @shown('onExisting') onExisting!: string;
  @shown('onMultiple') onMultiple!: string;
  @shown('onEmpty') onEmpty!: string;
  @shown('defaults') defaults!: Record<string, unknown>;
  @ApiProperty({
    type: [ColumnMappingBody],
    nullable: true,
    description: 'As given; null if the headers decide. `columns` has what is used.',
    example: null,
  })
  mapping!: ColumnMapping[] | null;
  @shown('delimiter', { nullable: true, description: 'As given, or else as found in the file.' })
  delimiter!: Delimiter | null;
  @shown('encoding', {
    nullable: true,
    description: 'As given, or else as found in the file.',
    example: 'utf-8',
  })
  encoding!: Encoding | null;
  @shown('dateFormat', { nullable: true, description: 'As given.', example: null }) dateFormat!:
    string | null;
  @ApiProperty({ type: [ColumnResponse], description: 'Of the file; empty until it has been checked.' })
  columns!: ColumnResponse[];
  @ApiProperty({ type: [PreviewRowResponse], description: 'The first 20 rows, until the import starts.' })
  preview!: PreviewRowResponse[];
  @ApiProperty({
    type: [ProblemGroupResponse],
    description: 'Why rows will fail, the most frequent reason first.',
  })
  problems!: ProblemGroupResponse[];
  @ApiProperty({
    type: [QuestionResponse],
    description: 'What has to be answered, with `PATCH`, before the import can start.',
    example: [],
  })
  ambiguous!: QuestionResponse[];
  @ApiProperty({ type: 'integer', nullable: true, description: 'Of the file.', example: 3 }) rows!:
    number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 2 }) willCreate!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 0 }) willUpdate!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 1 }) willFail!: number | null;
  @ApiProperty({ type: 'integer', description: 'Rows that have a result.', example: 0 }) processed!: number;
  @ApiProperty({ type: 'integer', example: 0 }) created!: number;
  @ApiProperty({ type: 'integer', example: 0 }) updated!: number;
  @ApiProperty({ type: 'integer', description: 'Their leads had all values already.', example: 0 })
  unchanged!: number;
  @ApiProperty({ type: 'integer', example: 0 }) failed!: number;
  @ApiProperty({ type: FailureResponse, nullable: true, example: null }) failure!: FailureResponse | null;
  @ApiProperty() createdBy!: ImporterResponse;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME) updatedAt!: Date;
  @ApiProperty(TIME_OR_NULL) startedAt!: Date | null;
  @ApiProperty({ ...TIME_OR_NULL, description: 'When it was completed, cancelled or given up.' })
  finishedAt!: Date | null;
  @ApiProperty(REVISION) revision!: number;
}

@ApiSchema({ name: 'ImportRow' })
export class ImportRowResponse implements Record<keyof RowResult, unknown> {
  @ApiProperty({
    type: 'integer',
    description: 'Of the row, from 1, without the header and empty lines.',
    example: 1,
  })
  number!: number;
  @ApiProperty({ type: 'integer', description: 'Where it begins in the file, from 1.', example: 2 })
  line!: number;
  @ApiProperty({ enum: ROW_STATUSES, example: 'created' }) status!: RowStatus;
  @ApiProperty({ type: String, nullable: true, example: exampleId('lead') }) leadId!: string | null;
  @ApiProperty({ type: [RowProblemResponse], example: [] }) problems!: RowProblemResponse[];
}

/** The options that a body gives: null is the default. */
export function optionsOf(body: ImportOptionsBody, defaults: ImportOptions): Partial<ImportOptions> {
  const given = Object.entries(body) as [keyof ImportOptions, unknown][];
  return Object.fromEntries(
    given.filter(([, value]) => value !== undefined).map(([name, value]) => [name, value ?? defaults[name]]),
  );
}
