import { Controller, Get, Param } from '@nestjs/common';
import type { FileId } from '../../../kernel/ids';
import { Configuration } from '../../../platform/config/configuration';
import { basePathOf } from '../../../platform/config/public-address';
import type { Path } from '../../../platform/pages/components/link';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { memberImagePath } from '../../files';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ClientOffers } from '../application/client-offers';
import { ClientPage } from './client-page';
import { ProposalBodies } from './proposal-bodies';
import { proposalPath, readProposalId } from './proposal-paths';

/** Settings → Sales → Proposals: a draft as its client would see it. */
@Controller('settings/:workspace/:mode/proposals')
@SettingsPages('member')
export class PreviewController {
  constructor(
    private readonly offers: ClientOffers,
    private readonly bodies: ProposalBodies,
    private readonly configuration: Configuration,
  ) {}

  @Get(':proposal/preview')
  async show(@InArea() area: Area, @Param('proposal') text: string): Promise<PageAnswer> {
    const id = readProposalId(text);
    // Public addresses of a draft's images don't answer yet.
    const pathOf = (image: FileId, rendition: string) =>
      (basePathOf(this.configuration.publicUrl) + memberImagePath(area, image, rendition)) as Path;
    const offer = await this.offers.ofDraft(refOf(area), id, area.workspace, pathOf);
    if (!offer) return new Redirect(proposalPath(area, id));
    const body = await this.bodies.ofDraft(offer, pathOf);
    return new HtmlPage(<ClientPage offer={offer} body={body} form={new FormInput()} isPreview />);
  }
}
