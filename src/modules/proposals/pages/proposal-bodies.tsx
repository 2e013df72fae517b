import { Injectable } from '@nestjs/common';
import { ByteCache } from '../../../kernel/byte-cache';
import { Rendered } from '../../../platform/pages/rendered';
import type { LinkedProposal } from '../application/proposal-repository';
import { ProposalBody } from './client-document';
import { textsFor } from './proposal-texts';

const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Caches the rendered body of proposals: it is the same for every visitor, and slow to render. */
@Injectable()
export class ProposalBodies {
  private readonly kept = new ByteCache<Rendered>(MAX_KEPT_BYTES);

  /** A sent proposal never changes. Its body depends only on the locale and on whether it is still open. */
  of({ proposal, workspace }: LinkedProposal): Rendered {
    const { workspaceId, mode, id, isOpen } = proposal;
    const key = [workspaceId, mode, id, isOpen, workspace.locale].join(' ');
    const known = this.kept.get(key);
    if (known) return known;
    const { texts } = textsFor(workspace.locale);
    const body = new Rendered(<ProposalBody proposal={proposal} workspace={workspace} texts={texts} />);
    this.kept.set(key, body);
    return body;
  }
}
