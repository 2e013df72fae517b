import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { FileLinks } from '../application/file-links';

@Injectable()
export class PublicFileLinks extends FileLinks {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  pathOf(token: string, rendition: string): `/${string}` {
    return `/files/${token}/${rendition}`;
  }

  urlOf(token: string, rendition: string): string {
    return addressOf(this.configuration.publicUrl, this.pathOf(token, rendition));
  }
}
