import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { Colour } from '../../../kernel/colour';
import type { FileId, ProposalId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { dayIn, daysBetween } from '../../../kernel/time-zone';
import { Brands } from '../../brand';
import { CalendarQueries } from '../../calendar';
import { FileQueries, type ImagePath, type ShownImage } from '../../files';
import { LeadQueries } from '../../leads';
import type { PreparedFor } from '../domain/presentation';
import {
  groupsOf,
  type LineGroup,
  type Payment,
  paymentsOf,
  type TaxRate,
  taxesOf,
} from '../domain/offer-parts';
import type { Proposal } from '../domain/proposal';
import { brandOn } from './brand-on';
import { ProposalReader } from './proposal-queries';
import type { LinkedProposal } from './proposal-repository';

export interface OfferContact {
  readonly name: string | null;
  readonly photo: ShownImage | null;
  readonly phone: string | null;
  readonly email: string | null;
}

/** Everything that a client is told of a proposal, as data: for the page, and for documents and mails. */
export interface ClientOffer extends LinkedProposal {
  readonly venue: {
    readonly name: string;
    readonly logo: ShownImage | null;
    readonly accent: Colour | null;
    readonly address: string | null;
    readonly taxNumber: string | null;
  };
  readonly cover: ShownImage | null;
  readonly contact: OfferContact | null;
  readonly preparedFor: PreparedFor;
  readonly groups: readonly LineGroup[];
  readonly taxes: readonly TaxRate[];
  readonly payments: readonly Payment[];
  /** Until the last day on which it can be accepted, which is 0. Null when it has none, or is closed. */
  readonly daysLeft: number | null;
}

/** Puts together what a client is told of a proposal. */
@Injectable()
export class ClientOffers {
  constructor(
    private readonly brands: Brands,
    private readonly files: FileQueries,
    private readonly leads: LeadQueries,
    private readonly proposals: ProposalReader,
    private readonly calendar: CalendarQueries,
    private readonly clock: Clock,
  ) {}

  /** What the client would be told of a draft. Undefined for anything else. */
  async ofDraft(
    ref: WorkspaceRef,
    id: ProposalId,
    workspace: LinkedProposal['workspace'],
    pathOf: ImagePath,
  ): Promise<ClientOffer | undefined> {
    const draft = await this.proposals.find(ref, id);
    if (!draft) throw new NotFound('proposal');
    if (draft.status !== 'draft' || draft.archivedAt) return undefined;
    const lead = await this.leads.get(ref, draft.leadId);
    const spaces = await this.calendar.spacesOfLead(ref, lead, this.clock.now());
    const offer = await this.of({ proposal: draft.asSent(), workspace }, pathOf);
    return { ...offer, preparedFor: { ...offer.preparedFor, spaces } };
  }

  async of(linked: LinkedProposal, pathOf?: ImagePath): Promise<ClientOffer> {
    const { proposal, workspace } = linked;
    const brand = await this.brands.of(proposal);
    const { name, address, taxNumber, logo, ...shownBrand } =
      proposal.sentBrand ?? brandOn(proposal, brand, workspace.name);
    const cover = proposal.coverImage ?? shownBrand.cover;
    const contact = proposal.contact ?? shownBrand.contact;
    const shown = await this.files.shown(proposal, given(logo, cover, contact?.photo), pathOf);
    const image = (id: FileId | null | undefined) => (id && shown.get(id)) || null;
    return {
      ...linked,
      venue: { name, logo: image(logo), accent: brand.accent, address, taxNumber },
      cover: image(cover),
      contact: contact && { ...contact, photo: image(contact.photo) },
      preparedFor: proposal.preparedFor ?? (await this.leadOf(proposal)),
      groups: groupsOf(proposal.lineItems),
      taxes: taxesOf(proposal.lineItems),
      payments: paymentsOf(proposal),
      daysLeft: this.daysLeft(linked),
    };
  }

  /** The images of the sections. */
  imagesOf(proposal: Proposal, pathOf?: ImagePath): Promise<ReadonlyMap<FileId, ShownImage>> {
    return this.files.shown(
      proposal,
      proposal.sections.flatMap(({ images }) => images),
      pathOf,
    );
  }

  /** For what was sent before that was kept. */
  private async leadOf(proposal: Proposal): Promise<PreparedFor> {
    const { name, eventDate, guests } = await this.leads.get(proposal, proposal.leadId);
    return { name, eventDate, guests, spaces: [] };
  }

  private daysLeft({ proposal, workspace }: LinkedProposal): number | null {
    if (!proposal.isOpen || !proposal.validUntil) return null;
    return daysBetween(dayIn(workspace.timeZone, this.clock.now()), proposal.validUntil);
  }
}

function given(...ids: (FileId | null | undefined)[]): FileId[] {
  return ids.filter((id): id is FileId => Boolean(id));
}
