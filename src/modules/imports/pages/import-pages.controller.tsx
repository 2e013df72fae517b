import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import { type ImportId, parseId } from '../../../kernel/ids';
import { FileBodies } from '../../../platform/http/file-bodies';
import { FileBody } from '../../../platform/http/file-body.decorator';
import { TextFiles } from '../../../platform/http/text-files';
import { FormInput } from '../../../platform/pages/form-input';
import { Download, HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { ChangeImport } from '../application/change-import';
import { CreateImport } from '../application/create-import';
import { failedRowsText } from '../application/failed-rows-text';
import { ImportQueries } from '../application/import-queries';
import type { RowResult } from '../application/import-rows';
import { LeadReferences } from '../application/lead-references';
import { MAX_FILE_BYTES, ReceiveFile } from '../application/receive-file';
import type { ImportView } from '../domain/import-view';
import { type ColumnMapping, DEFAULT_OPTIONS } from '../domain/import-options';
import { optionsOf, targetLabels, valuesOf } from './import-form';
import { ImportPage, targetName } from './import-page';
import { importPath } from './import-paths';
import { ImportsPage } from './imports-page';

const SHOWN_FAILURES = 50;

/** Settings → Sales → Import: files of leads, what was found in them, and what became of their rows. */
@Controller('settings/:workspace/:mode/imports')
@SettingsPages('admin')
export class ImportPagesController {
  constructor(
    private readonly queries: ImportQueries,
    private readonly createImport: CreateImport,
    private readonly changeImport: ChangeImport,
    private readonly receiveFile: ReceiveFile,
    private readonly references: LeadReferences,
    private readonly bodies: FileBodies,
    private readonly textFiles: TextFiles,
  ) {}

  @Get()
  list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return this.listPage(request, area, new FormInput(valuesOf(DEFAULT_OPTIONS)));
  }

  /** The file is stored outside of a transaction, as it arrives. A form that is sent again makes another import. */
  @Post()
  @Repeatable()
  @FileBody('multipart/form-data')
  async create(
    @Req() request: Request,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = refOf(area);
    const options = optionsOf(form);
    const done = await form.submit(async () => {
      const file = await this.receiveFile.receive(ref, this.bodies.read(request, MAX_FILE_BYTES));
      try {
        if (file.bytes === 0)
          throw new ValidationFailed({ field: 'file', message: 'is required, and not empty' });
        const { id } = await this.createImport.execute(ref, person, options);
        return await this.changeImport.takeFile(ref, id, file.id);
      } catch (error) {
        await this.receiveFile.drop(ref, file.id);
        throw error;
      }
    });
    return done ? new Redirect(importPath(area, done.result.id)) : this.listPage(request, area, form);
  }

  @Get(':import')
  async show(@InArea() area: Area, @Param('import') id: string): Promise<HtmlPage> {
    const state = await this.queries.get(refOf(area), readId(id));
    return this.page(area, state);
  }

  @Post(':import')
  async change(
    @InArea() area: Area,
    @Param('import') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const [ref, importId] = [refOf(area), readId(id)];
    const { columns, delimiter, encoding } = await this.queries.get(ref, importId);
    const options = optionsOf(form);
    const mapped = columns.flatMap(({ name }, index) => {
      const field = form.value(targetName(index));
      return field ? [{ column: name, field, index }] : [];
    });
    // A file that is read in another way has other columns.
    const isKept = options.delimiter === delimiter && options.encoding === encoding;
    const mapping = isKept ? mapped.map(({ column, field }): ColumnMapping => ({ column, field })) : null;
    const changes = columns.length > 0 ? { ...options, mapping } : options;
    const done = await form.submit(() =>
      this.changeImport.update(ref, importId, changes).catch((error: unknown) => {
        throw atSelects(
          error,
          mapped.map(({ index }) => index),
        );
      }),
    );
    if (done) return new Redirect(importPath(area, importId));
    return this.page(area, await this.queries.get(ref, importId), { form });
  }

  @Post(':import/start')
  start(
    @InArea() area: Area,
    @Param('import') id: string,
    @Submitted() action: FormInput,
  ): Promise<PageAnswer> {
    return this.act(area, id, action, (ref, importId) => this.changeImport.start(ref, importId));
  }

  @Post(':import/cancel')
  cancel(
    @InArea() area: Area,
    @Param('import') id: string,
    @Submitted() action: FormInput,
  ): Promise<PageAnswer> {
    return this.act(area, id, action, (ref, importId) => this.changeImport.cancel(ref, importId));
  }

  @Get(':import/failed.csv')
  async failed(@InArea() area: Area, @Param('import') id: string): Promise<Download> {
    const importId = readId(id);
    const rows = await this.queries.failedRows(refOf(area), importId);
    return new Download((response) =>
      this.textFiles.sendCsv(response, `${importId}-failed.csv`, failedRowsText(rows)),
    );
  }

  private async act(
    area: Area,
    id: string,
    action: FormInput,
    work: (ref: ReturnType<typeof refOf>, id: ImportId) => Promise<ImportView>,
  ): Promise<PageAnswer> {
    const [ref, importId] = [refOf(area), readId(id)];
    const done = await action.submit(() => work(ref, importId));
    if (done) return new Redirect(importPath(area, importId));
    return this.page(area, await this.queries.get(ref, importId), { action });
  }

  private async listPage(request: Request, area: Area, form: FormInput): Promise<HtmlPage> {
    const sort = { field: 'createdAt', descending: true } as const;
    const asked = listRequest(request, { list: 'imports', sort, kind: 'instant', idPrefix: 'imp' });
    const { data, pagination } = await this.queries.list(refOf(area), asked);
    const page = <ImportsPage area={area} form={form} imports={data} nextCursor={pagination.nextCursor} />;
    return new HtmlPage(page, form.isFaulty ? 422 : 200);
  }

  private async page(
    area: Area,
    state: ImportView,
    { form, action }: { form?: FormInput; action?: FormInput } = {},
  ): Promise<HtmlPage> {
    const ref = refOf(area);
    const targets = targetLabels((await this.references.customFields(ref)).active);
    const failedRows = state.failed > 0 ? await this.firstFailures(area, state.id) : [];
    const selected = state.columns.map(({ field }, index) => [targetName(index), field ?? '']);
    const values = { ...valuesOf(state), ...Object.fromEntries(selected) } as Record<string, string>;
    const page = (
      <ImportPage
        area={area}
        state={state}
        form={form ?? new FormInput(values)}
        action={action}
        targets={targets}
        failedRows={failedRows}
      />
    );
    return new HtmlPage(page, form?.isFaulty || action?.isFaulty ? 422 : 200);
  }

  private async firstFailures(area: Area, id: ImportId): Promise<RowResult[]> {
    const sort = { field: 'number', descending: false } as const;
    const asked = { page: 1, limit: SHOWN_FAILURES, sort, fingerprint: '' };
    return (await this.queries.listRows(refOf(area), id, 'failed', asked)).data;
  }
}

/** Problems of the mapping at the columns that they are about. */
function atSelects(error: unknown, columns: readonly number[]): unknown {
  if (!(error instanceof ValidationFailed)) return error;
  const [first, ...more] = error.details.map(({ field, message }) => {
    const [, place] = /^mapping\[(\d+)\]/.exec(field) ?? [];
    return { field: place ? targetName(columns[Number(place)]!) : field, message };
  });
  return new ValidationFailed(first!, ...more);
}

/** @throws NotFound for text that is no id */
function readId(text: string): ImportId {
  const id = parseId('imp', text);
  if (!id) throw new NotFound('page');
  return id;
}
