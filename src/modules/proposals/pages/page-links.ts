import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import type { Path } from '../../../platform/pages/components/link';
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

/** The client's page on the host that a page of ours is on, where its visitor is signed in: `publicUrl` may name another. */
export function clientPath(publicUrl: string): Path {
  return `/proposals/${publicUrl.slice(publicUrl.lastIndexOf('/') + 1)}`;
}
