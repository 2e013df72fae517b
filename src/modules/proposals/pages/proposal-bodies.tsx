import { Injectable } from '@nestjs/common';
import { ByteCache } from '../../../kernel/byte-cache';
import { Rendered } from '../../../platform/pages/rendered';
import { type ClientOffer, ClientOffers } from '../application/client-offers';
import { ClientBody } from './client-document';
import { CLIENT_TEXTS } from './client-texts';
import { textsFor } from './proposal-texts';

const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Caches the rendered body of proposals: it is the same for every visitor, and slow to render. */
@Injectable()
export class ProposalBodies {
  private readonly kept = new ByteCache<Rendered>(MAX_KEPT_BYTES);

  constructor(private readonly offers: ClientOffers) {}

  /** A sent proposal and its images never change. Its body depends only on the locale. */
  async of(offer: ClientOffer): Promise<Rendered> {
    const { proposal, workspace } = offer;
    const key = [proposal.workspaceId, proposal.mode, proposal.id, workspace.locale].join(' ');
    const known = this.kept.get(key);
    if (known) return known;
    const { language, texts } = textsFor(workspace.locale);
    const images = await this.offers.imagesOf(proposal);
    const body = new Rendered(
      <ClientBody offer={offer} images={images} texts={{ ...texts, ...CLIENT_TEXTS[language]! }} />,
    );
    this.kept.set(key, body);
    return body;
  }
}
