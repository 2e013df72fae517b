import type { Sender } from '../application/contacts';
import { identityIn, userIdIn } from '../domain/chat-identity';
import { isObject, type Json, objects, textOf } from './whatsapp-descriptions';

/** An entry of `contacts`. */
type Card = Omit<Sender, 'former'>;

/**
 * Finds the senders of a notification's messages. People who hide their number have a `from_user_id` and no `from`. Entries of
 * `contacts`, with a `wa_id`, a `user_id` or both, add names and missing identities. The work is linear in the number of
 * contacts and messages.
 *
 * Sources: https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids and, for changes
 * of an identity, https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system
 *
 * @returns a function from a message to its sender; undefined if it names nobody
 */
export function readSenders(contacts: unknown): (message: Json) => Sender | undefined {
  const cards = objects(contacts).map(toCard);
  const byPhone = new Map<string, Card>();
  const byUserId = new Map<string, Card>();
  for (const card of cards) {
    if (card.phone !== null) file(byPhone, card.phone, card);
    if (card.userId !== null) file(byUserId, card.userId, card);
  }
  return (message) => {
    const changed = changeIn(message);
    if (changed) return changed;
    const { phone, userId } = toCard({ wa_id: message.from, user_id: message.from_user_id });
    // A message with a number shared on request has no sender.
    const isUnnamed = message.from === undefined && message.from_user_id === undefined;
    if (phone === null && userId === null)
      return isUnnamed && cards.length === 1 ? named(cards[0]!) : undefined;
    const ofUser = userId === null ? undefined : byUserId.get(userId);
    const ofPhone = phone === null ? undefined : byPhone.get(phone);
    const name = ofUser?.name ?? ofPhone?.name ?? null;
    // Only if no other contact has the same number or id.
    if (phone === null && ofUser?.phone && byPhone.get(ofUser.phone)?.userId === userId) {
      return { phone: ofUser.phone, userId, name };
    }
    if (userId === null && ofPhone?.userId && byUserId.get(ofPhone.userId)?.phone === phone) {
      return { phone, userId: ofPhone.userId, name };
    }
    return { phone, userId, name };
  };
}

/** `wa_id` and `from` held only numbers before user ids existed; now they may hold either. */
function toCard({ wa_id: number, user_id: id, profile }: Json): Card {
  const identity = identityIn(number);
  const name = isObject(profile) ? (textOf(profile.name) ?? textOf(profile.username) ?? null) : null;
  return {
    phone: identity?.kind === 'phone' ? identity.value : null,
    userId: userIdIn(id) ?? (identity?.kind === 'user' ? identity.value : null),
    name,
  };
}

function named(card: Card): Card | undefined {
  return card.phone === null && card.userId === null ? undefined : card;
}

/** Of contacts with the same key, drops the identities in which they differ. */
function file(cards: Map<string, Card>, key: string, card: Card): void {
  const first = cards.get(key);
  const { phone, userId, name } = first ?? card;
  cards.set(key, {
    phone: phone === card.phone ? phone : null,
    userId: userId === card.userId ? userId : null,
    name,
  });
}

/** The sender in a notice of a new user id. Its `from` is the former number, which may not be that of the new id. */
function changeIn({ type, system, from, from_user_id: fromUserId }: Json): Sender | undefined {
  if (type !== 'system' || !isObject(system)) return undefined;
  const userId = userIdIn(system.user_id);
  const formerUserId = userIdIn(system.previous_user_id);
  if (userId === null || formerUserId === null || userId === formerUserId) return undefined;
  const { phone } = toCard({ wa_id: from, user_id: fromUserId });
  return { phone: null, userId, name: null, former: { phone, userId: formerUserId } };
}
