import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf, basePathOf } from '../../../platform/config/public-address';
import { FileLinks } from '../application/file-links';

@Injectable()
export class PublicFileLinks extends FileLinks {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  pathOf(token: string, rendition: string): `/${string}` {
    return `${basePathOf(this.configuration.publicUrl)}${filePath(token, rendition)}` as `/${string}`;
  }

  urlOf(token: string, rendition: string): string {
    return addressOf(this.configuration.publicUrl, filePath(token, rendition));
  }
}

function filePath(token: string, rendition: string): `/${string}` {
  return `/files/${token}/${rendition}`;
}
