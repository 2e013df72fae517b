import { Controller, Delete, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { FILE_FORM, FileBody } from '../../../platform/http/file-body.decorator';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { DeleteFile } from '../application/delete-file';
import { FileQueries } from '../application/file-queries';
import { type ReceivedImage, ReceiveImage } from '../application/receive-image';
import type { FileView } from '../domain/file';
import { IMAGE_TYPES } from '../domain/image-kind';
import { FILE, FileResponse } from './file.dto';
import { ImageUpload, UploadedImage } from './image-upload';

@Controller('/v1/files')
@DescribeGroup({
  name: 'Files',
  description: 'Images for proposals and the brand. They are encoded anew, without their metadata.',
})
export class FilesController {
  constructor(
    private readonly receiveImage: ReceiveImage,
    private readonly deleteFile: DeleteFile,
    private readonly queries: FileQueries,
  ) {}

  @Post()
  @RequireScope('files:write')
  @FileBody(...IMAGE_TYPES, FILE_FORM)
  @UseInterceptors(ImageUpload)
  @ApiConsumes(...IMAGE_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary' }, required: true })
  @Describe({
    operationId: 'uploadFile',
    summary: 'Upload an image',
    description:
      'As the body, or as the only field of a form (`multipart/form-data`), which also names it. JPEG, PNG, WebP or AVIF by its content, at most 8 MiB, 40 megapixels and 16,000 pixels on each side, and not animated. A workspace keeps at most 2,000 images and 1 GiB in each mode.',
    status: 201,
    response: FileResponse,
    invalid: { field: 'file', message: 'must be a JPEG, PNG, WebP or AVIF image' },
  })
  upload(@Caller() caller: Principal, @UploadedImage() image: ReceivedImage): Promise<FileView> {
    return this.receiveImage.store(caller, image);
  }

  @Get()
  @RequireScope('files:read')
  @DescribeList({
    operationId: 'listFiles',
    summary: 'List files',
    description: 'The newest first.',
    item: FileResponse,
    list: 'FileList',
  })
  list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<FileView>> {
    const sort = { field: 'createdAt', descending: true } as const;
    return this.queries.list(
      caller,
      toPageRequest(query, { list: 'files', sort, kind: 'instant', idPrefix: 'file' }),
    );
  }

  @Get(':id')
  @RequireScope('files:read')
  @Describe({
    operationId: 'getFile',
    summary: 'Get a file',
    description: 'What is known of the image. `url` leads to the image itself.',
    object: FILE,
    response: FileResponse,
  })
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<FileView> {
    return this.queries.get(caller, FILE.read(id));
  }

  @Delete(':id')
  @RequireScope('files:write')
  @Describe({
    operationId: 'deleteFile',
    summary: 'Delete a file',
    description: 'For good, and only while no proposal and no brand shows it.',
    object: FILE,
    response: FileResponse,
    invalid: {
      field: 'id',
      message:
        'is shown by the brand. Remove it from drafts and the brand first; sent proposals keep their images',
    },
  })
  delete(@Caller() caller: Principal, @Param('id') id: string): Promise<FileView> {
    return this.deleteFile.execute(caller, FILE.read(id));
  }
}
