import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BadRequest, NotFound } from '../../kernel/errors';
import { Public, RequireCredential } from '../access/access.decorators';
import { ApiExcludeController } from '../openapi/decorators';
import { isDecodable } from './front-door';

/** Takes whatever no other route under /v1 and /oauth takes, so that it is counted and enveloped all the same. */
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
}
