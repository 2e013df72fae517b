import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../../platform/access/access.decorators';
import { FileQueries } from '../application/file-queries';

const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Mail programs show images of other sites.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Images at their unguessable addresses, for clients and mail programs. */
@Controller('files')
@Public()
@ApiExcludeController()
export class PublicFilesController {
  constructor(private readonly queries: FileQueries) {}

  @Get(':token/:rendition')
  async show(
    @Param('token') token: string,
    @Param('rendition') rendition: string,
    @Res() response: Response,
  ): Promise<void> {
    const { type, content } = await this.queries.publicContent(token, rendition);
    response.set(HEADERS).type(type).send(content);
  }
}
