import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { ByteCache } from '../../../kernel/byte-cache';
import { Rendered } from '../../../platform/pages/rendered';
import type { ImagePath } from '../../files';
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
    const body = new Rendered(await this.render(offer));
    this.kept.set(key, body);
    return body;
  }

  /** The body of a draft, which changes, with the images at these addresses. */
  ofDraft(offer: ClientOffer, pathOf: ImagePath): Promise<VNode> {
    return this.render(offer, pathOf);
  }

  private async render(offer: ClientOffer, pathOf?: ImagePath): Promise<VNode> {
    const { language, texts } = textsFor(offer.workspace.locale);
    const images = await this.offers.imagesOf(offer.proposal, pathOf);
    return <ClientBody offer={offer} images={images} texts={{ ...texts, ...CLIENT_TEXTS[language]! }} />;
  }
}
