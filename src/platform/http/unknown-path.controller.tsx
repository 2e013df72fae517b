import { All, Controller, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { BadRequest, NotFound } from '../../kernel/errors';
import { Public, RequireCredential } from '../access/access.decorators';
import { ErrorPage } from '../pages/components/error-page';
import { HtmlPage } from '../pages/page-answer';
import { PageInterceptor } from '../pages/page.interceptor';
import { isDecodable } from './front-door';

/**
 * Refuses requests to unknown paths: with JSON under /v1 (which requires a credential) and /oauth, elsewhere with an HTML
 * page if the client accepts one.
 */
@ApiExcludeController()
@Controller()
export class UnknownPathController {
  @All(['v1', 'v1/{*path}'])
  @RequireCredential()
  refuseCall(@Req() request: Request): never {
    return this.refuse(request);
  }

  @All(['oauth', 'oauth/{*path}'])
  @Public()
  refuse(@Req() { originalUrl }: Request): never {
    const [path = ''] = originalUrl.split('?');
    if (!isDecodable(path)) throw new BadRequest('The path is not valid percent-encoded UTF-8.');
    throw new NotFound('resource');
  }

  @All('{*path}')
  @Public()
  @UseInterceptors(PageInterceptor)
  refuseElsewhere(@Req() request: Request): HtmlPage {
    if (request.accepts(['json', 'html']) !== 'html') throw new NotFound('resource');
    const page = (
      <ErrorPage title="Page not found" message="There is no page at this address. Check the link." />
    );
    return new HtmlPage(page, 404);
  }
}
