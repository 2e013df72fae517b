import { Injectable } from '@nestjs/common';
import { type DomainEvent, domainEvent } from '../../../kernel/domain-event';
import type { Proposal } from '../domain/proposal';

/** A port: the URL of the client's page. */
export abstract class PublicLinks {
  abstract linkTo(token: string): string;
}

/** A proposal as the API and events contain it. */
export interface ProposalView extends Omit<
  Proposal,
  'workspaceId' | 'mode' | 'publicToken' | 'sentBy' | 'sentBrand' | Methods
> {
  publicUrl: string | null;
}

type Methods =
  | {
      [Name in keyof Proposal]: Proposal[Name] extends (...args: never[]) => unknown ? Name : never;
    }[keyof Proposal]
  | 'content'
  | 'isOpen';

@Injectable()
export class ProposalViews {
  constructor(private readonly links: PublicLinks) {}

  of(proposal: Proposal): ProposalView {
    const { publicToken, ...rest } = proposal;
    const { id, leadId, number, version, previousVersionId, title, status, currency } = rest;
    const { lineItems, subtotal, taxTotal, total, deposit, notes, validUntil } = rest;
    const { message, sections, coverImage, terms, contact, preparedFor } = rest;
    const { sentAt, viewedAt, acceptedAt, declinedAt, expiredAt, withdrawnAt } = rest;
    const { acceptance, declineReason, archivedAt, createdAt, updatedAt, revision } = rest;
    return {
      ...{ id, leadId, number, version, previousVersionId, title, status, currency },
      ...{ lineItems, subtotal, taxTotal, total, deposit, notes, validUntil },
      ...{ message, sections, coverImage, terms, contact, preparedFor },
      publicUrl: publicToken && this.links.linkTo(publicToken),
      ...{ sentAt, viewedAt, acceptedAt, declinedAt, expiredAt, withdrawnAt },
      ...{ acceptance, declineReason, archivedAt, createdAt, updatedAt, revision },
    };
  }

  /** `before` is the former view. Its changed fields become the event's `previous`. */
  event(type: string, proposal: Proposal, before?: ProposalView): DomainEvent {
    const { workspaceId, mode, updatedAt: timestamp } = proposal;
    const data = this.of(proposal);
    const previous = before && changedFields(before, data);
    return domainEvent({ type, workspace: { workspaceId, mode }, timestamp, data, previous });
  }
}

function changedFields(before: ProposalView, after: ProposalView): object {
  const names = Object.keys(before) as (keyof ProposalView)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}
