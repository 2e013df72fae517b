import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BadRequest, NotFound, ValidationFailed } from '../../../kernel/errors';
import { type FileId, parseId } from '../../../kernel/ids';
import { FileBodies } from '../../../platform/http/file-bodies';
import { FILE_FORM, FileBody } from '../../../platform/http/file-body.decorator';
import { fileNameOf, fileOf } from '../../../platform/http/file-form';
import { FormInput } from '../../../platform/pages/form-input';
import { Download, HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { Repeatable } from '../../../platform/pages/repeatable.decorator';
import { type Area, InArea, listRequest, refOf, SettingsPages } from '../../shell';
import { DeleteFile } from '../application/delete-file';
import { FileQueries } from '../application/file-queries';
import { ReceiveImage } from '../application/receive-image';
import { MAX_FILE_BYTES } from '../domain/file';
import { filesPath, FilesPage } from './files-page';

/** Settings → Sales → Files: the images of a workspace. */
@Controller('settings/:workspace/:mode/files')
@SettingsPages('member')
export class FilesPagesController {
  constructor(
    private readonly queries: FileQueries,
    private readonly receiveImage: ReceiveImage,
    private readonly deleteFile: DeleteFile,
    private readonly bodies: FileBodies,
  ) {}

  @Get()
  list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return this.page(request, area, {});
  }

  /** The image is encoded outside of a transaction. A form that is sent again stores another one. */
  @Post()
  @Repeatable()
  @FileBody(FILE_FORM)
  async upload(
    @Req() request: Request,
    @InArea() area: Area,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = refOf(area);
    if (!fileOf(request)) form.problems.push({ field: 'file', message: 'is required' });
    const done = await form.submit(async () => {
      const read = () => this.read(request);
      return this.receiveImage.store(
        ref,
        await this.receiveImage.receive(ref, read, { name: fileNameOf(request) }),
      );
    });
    return done
      ? new Redirect(`${filesPath(area)}?notice=uploaded`)
      : this.page(request, area, { uploading: form });
  }

  @Post(':file/delete')
  async remove(
    @Req() request: Request,
    @InArea() area: Area,
    @Param('file') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const done = await form.submit(() => this.deleteFile.execute(refOf(area), readFileId(id)));
    return done
      ? new Redirect(`${filesPath(area)}?notice=deleted`)
      : this.page(request, area, { deleting: form });
  }

  /** For members, whether anything public shows the image or not. */
  @Get(':file/:rendition')
  async image(
    @InArea() area: Area,
    @Param('file') id: string,
    @Param('rendition') name: string,
  ): Promise<PageAnswer> {
    const { type, content } = await this.queries.content(refOf(area), readFileId(id), name);
    return new Download((response) => {
      response.set('Cache-Control', 'private, max-age=31536000, immutable');
      response.type(type).send(content);
      return Promise.resolve();
    });
  }

  /** Says at the field what the API says of the request. */
  private async read(request: Request): Promise<Buffer> {
    try {
      return await this.bodies.readWhole(request, MAX_FILE_BYTES, 'make it smaller');
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      throw new ValidationFailed({ field: 'file', message: 'is larger than 8 MiB, or didn’t arrive whole' });
    }
  }

  private async page(
    request: Request,
    area: Area,
    { uploading = new FormInput(), deleting = new FormInput() },
  ): Promise<HtmlPage> {
    const sort = { field: 'createdAt', descending: true } as const;
    const options = { list: 'files', sort, kind: 'instant', idPrefix: 'file' } as const;
    const { data, pagination } = await this.queries.listForPages(
      refOf(area),
      request.method === 'GET'
        ? listRequest(request, options)
        : listRequest({ ...request, query: {} } as Request, options),
    );
    return new HtmlPage(
      <FilesPage
        {...{ area, uploading, deleting }}
        files={data}
        nextCursor={pagination.nextCursor}
        notice={queryText(request, 'notice')}
      />,
      uploading.isFaulty || deleting.isFaulty ? 422 : 200,
    );
  }
}

function readFileId(text: string): FileId {
  const id = parseId('file', text);
  if (!id) throw new NotFound('file');
  return id;
}
