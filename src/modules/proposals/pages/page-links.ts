import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import { PublicLinks } from '../application/proposal-views';

@Injectable()
export class PageLinks extends PublicLinks {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  linkTo(token: string): string {
    return addressOf(this.configuration.publicUrl, `/proposals/${token}`);
  }
}
