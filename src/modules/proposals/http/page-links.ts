import { Injectable } from '@nestjs/common';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { PublicLinks } from '../application/proposal-views';

@Injectable()
export class PageLinks extends PublicLinks {
  constructor(private readonly pages: PageRenderer) {
    super();
  }

  linkTo(token: string): string {
    return this.pages.addressOf(`/proposals/${token}`);
  }
}
