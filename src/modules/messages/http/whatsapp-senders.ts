import type { Sender } from '../application/contacts';
import { identityIn, userIdIn } from '../domain/chat-identity';
import { isObject, type Json, objects, textOf } from './whatsapp-descriptions';

/** What an entry of `contacts` says of someone. */
type Card = Omit<Sender, 'former'>;

/**
 * Who wrote the messages of one notification. People who hide their number have a `from_user_id` and no `from`; the list of
 * contacts, by `wa_id`, by `user_id` or by both, names them and completes what a message leaves out. Each contact and each
 * message is looked at once.
 *
 * Sources: https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids and, for changes
 * of an identity, https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system
 *
 * @returns undefined for a message that names nobody
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
    // Numbers that people share on request come without a sender of their own.
    const isUnnamed = message.from === undefined && message.from_user_id === undefined;
    if (phone === null && userId === null)
      return isUnnamed && cards.length === 1 ? named(cards[0]!) : undefined;
    const ofUser = userId === null ? undefined : byUserId.get(userId);
    const ofPhone = phone === null ? undefined : byPhone.get(phone);
    const name = ofUser?.name ?? ofPhone?.name ?? null;
    // Only where no other contact claims the number or id.
    if (phone === null && ofUser?.phone && byPhone.get(ofUser.phone)?.userId === userId) {
      return { phone: ofUser.phone, userId, name };
    }
    if (userId === null && ofPhone?.userId && byUserId.get(ofPhone.userId)?.phone === phone) {
      return { phone, userId: ofPhone.userId, name };
    }
    return { phone, userId, name };
  };
}

/** Before user ids a number stood in `wa_id` and `from` alone; an id there is one all the same. */
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

/** Contacts that contradict each other leave their key alone. */
function file(cards: Map<string, Card>, key: string, card: Card): void {
  const first = cards.get(key);
  const { phone, userId, name } = first ?? card;
  cards.set(key, {
    phone: phone === card.phone ? phone : null,
    userId: userId === card.userId ? userId : null,
    name,
  });
}

/** A notice that someone has a new user id. Its `from` is the number of before, which says nothing of the new id. */
function changeIn({ type, system, from, from_user_id: fromUserId }: Json): Sender | undefined {
  if (type !== 'system' || !isObject(system)) return undefined;
  const userId = userIdIn(system.user_id);
  const formerUserId = userIdIn(system.previous_user_id);
  if (userId === null || formerUserId === null || userId === formerUserId) return undefined;
  const { phone } = toCard({ wa_id: from, user_id: fromUserId });
  return { phone: null, userId, name: null, former: { phone, userId: formerUserId } };
}
