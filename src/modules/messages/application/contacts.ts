import { Injectable } from '@nestjs/common';
import type { LeadId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { LeadQueries, type LeadView } from '../../leads';
import {
  type ChatContact,
  type ChatIdentities,
  type ChatIdentity,
  recipientOf,
  spellingsOfAll,
} from '../domain/chat-identity';
import { type ChatUser, ChatUserRepository } from './chat-user-repository';
import { ConsentRepository } from './consent-repository';
import { MessageRepository } from './message-repository';

/** The sender of a message, as the channel names them. */
export interface Sender extends ChatContact {
  /** Their profile's name. */
  readonly name: string | null;
  /** Their previous identity, if the channel reports a change. */
  readonly former?: ChatContact;
}

/** A sender, together with their lead and identities. */
export interface Person extends ChatContact {
  /** Undefined when no lead is known. */
  readonly lead: LeadView | undefined;
  /** Those that certainly are theirs: their decisions apply to these. */
  readonly identities: ChatIdentities;
}

/** A lead's contact details. */
export interface LeadContact {
  /** Null when the lead has neither a phone nor a user id. */
  readonly recipient: ChatIdentity | null;
  /** An opt-out of any of these applies to the lead. */
  readonly identities: ChatIdentities;
  /** Those that certainly are the recipient: their messages open the window for free text. */
  readonly sameAsRecipient: ChatIdentities;
}

/**
 * Finds the lead behind a phone number or user id, and stores which user ids belong to which lead.
 *
 * A lead with the sender's number comes first, then the lead that the user id is linked to. If the channel shows a number with
 * the id that isn't that lead's, no lead is found: a new lead does less harm than a message at the wrong one.
 */
@Injectable()
export class Contacts {
  constructor(
    private readonly users: ChatUserRepository,
    private readonly messages: MessageRepository,
    private readonly consents: ConsentRepository,
    private readonly leads: LeadQueries,
  ) {}

  /** Locks the sender's conversations until the unit of work ends. */
  async ofSender(ref: WorkspaceRef, sender: ChatContact & Pick<Sender, 'former'>): Promise<Person> {
    const { userId, former } = sender;
    const ids = [userId, former?.userId].filter((id) => typeof id === 'string');
    await this.messages.lockConversations(ref, { userIds: ids, phones: [] });
    const known = userId === null ? undefined : await this.users.find(ref, userId);
    const shown = sender.phone ?? known?.phone ?? null;
    const written = shown === null ? [] : await this.messages.phonesOfContact(ref, shown);
    const phones = shown === null ? [] : spellingsOfAll([...written, shown]);
    await this.messages.lockConversations(ref, { userIds: [], phones });
    const samePhone = await this.users.list(ref, { phones, leadId: null });
    const linked = [known, ...samePhone].filter((user) => user !== undefined);
    const lead =
      (await this.leadOf(ref, phones, linked, sender.phone !== null)) ??
      (former && (await this.formerLead(ref, former)));
    const leadPhone = lead?.phone && phones.includes(lead.phone) ? lead.phone : undefined;
    return {
      lead,
      phone: shown === null ? null : (leadPhone ?? written[0] ?? shown),
      userId,
      identities: {
        phones,
        userIds: [
          ...new Set([...(userId === null ? [] : [userId]), ...samePhone.map((user) => user.userId)]),
        ],
      },
    };
  }

  /**
   * Links the person's user id to the lead. An opt-out of any of their identities, or of their former one, is extended to
   * all. It is deleted from the former user id, where nobody could revoke it any more.
   */
  async linkUser(
    ref: WorkspaceRef,
    { userId, phone, identities }: Person,
    leadId: LeadId | null,
    former?: ChatContact,
  ): Promise<void> {
    if (userId === null) return;
    await this.users.save(ref, { userId, phone, leadId });
    const before: ChatIdentities = {
      phones: [...identities.phones, ...spellingsOfAll(former?.phone ? [former.phone] : [])],
      userIds: [...identities.userIds, ...(former?.userId ? [former.userId] : [])],
    };
    const optedOutAt = await this.consents.optedOutAt(ref, before);
    if (optedOutAt) await this.consents.optOut(ref, identities, optedOutAt, []);
    if (former?.userId) await this.consents.optIn(ref, { phones: [], userIds: [former.userId] }, []);
  }

  /** Whether the user id is already linked to a lead, and known with that number. */
  async isKnown(ref: WorkspaceRef, { phone, userId }: ChatContact): Promise<boolean> {
    if (phone === null || userId === null) return true;
    const known = await this.users.find(ref, userId);
    return known?.phone != null && known.leadId !== null && spellingsOfAll([phone]).includes(known.phone);
  }

  async ofLead(ref: WorkspaceRef, { id, phone }: Pick<LeadView, 'id' | 'phone'>): Promise<LeadContact> {
    const own = spellingsOfAll(phone === null ? [] : [phone]);
    const users = await this.users.list(ref, { phones: own, leadId: id });
    const phones = phone === null ? spellingsOfAll(users.flatMap((user) => user.phone ?? [])) : own;
    const same = users.filter((user) => user.phone === null || phones.includes(user.phone));
    return {
      recipient: recipientOf({ phone, userId: users[0]?.userId ?? null }),
      identities: { phones, userIds: users.map(({ userId }) => userId) },
      sameAsRecipient: { phones, userIds: same.map(({ userId }) => userId) },
    };
  }

  /** Prefers leads that aren't archived, then the order of `phones`. */
  private async leadOf(
    ref: WorkspaceRef,
    phones: readonly string[],
    users: readonly ChatUser[],
    isShown: boolean,
  ): Promise<LeadView | undefined> {
    const withPhone = await Promise.all(phones.map((phone) => this.leads.findByPhone(ref, phone)));
    const ids = [...new Set(users.flatMap(({ leadId }) => leadId ?? []))];
    const linked = await Promise.all(ids.map((id) => this.leads.get(ref, id)));
    const leads = [
      ...withPhone.filter((lead) => lead !== undefined),
      ...linked.filter(({ phone }) => phone === null || !isShown || phones.includes(phone)),
    ];
    return leads.find(({ archivedAt }) => !archivedAt) ?? leads[0];
  }

  private async formerLead(ref: WorkspaceRef, { phone, userId }: ChatContact): Promise<LeadView | undefined> {
    const known = userId === null ? undefined : await this.users.find(ref, userId);
    const phones = spellingsOfAll([known?.phone, phone].filter((each) => typeof each === 'string'));
    return this.leadOf(ref, phones, known ? [known] : [], false);
  }
}
