import { Injectable } from '@nestjs/common';
import { FileUses } from '../../files';
import { imagesOf, imagesOfBrand } from '../domain/presentation';
import type { Proposal } from '../domain/proposal';

/** Keeps the images of proposals from being deleted, and opens their addresses once a proposal is sent. */
@Injectable()
export class ProposalImages {
  constructor(private readonly uses: FileUses) {}

  /**
   * For a draft that was written.
   *
   * @throws ValidationFailed for an image that there isn't
   */
  async refer(proposal: Proposal): Promise<void> {
    await this.uses.replace(proposal, userOf(proposal), imagesOf(proposal));
  }

  /** For a proposal that was sent: with the images of the brand that it was sent with. */
  async publish(proposal: Proposal): Promise<void> {
    const ofBrand = proposal.sentBrand ? imagesOfBrand(proposal.sentBrand) : [];
    if (ofBrand.length > 0) {
      await this.uses.replace(proposal, userOf(proposal), [...imagesOf(proposal), ...ofBrand]);
    }
    await this.uses.publish(proposal, userOf(proposal));
  }
}

function userOf({ id }: Proposal) {
  return { kind: 'proposal', id } as const;
}
