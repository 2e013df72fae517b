import type { IncomingMessage } from '../application/receive-message';

export type Json = Record<string, unknown>;
type Description = Pick<IncomingMessage, 'type' | 'text' | 'media'>;

const MAX_TEXT = 10_000;
const MAX_ID = 500;
/** Of a number that is written as text. */
const MAX_DIGITS = 30;
const MAX_CONTACTS = 100;

/** Describes a message of any kind, known or not, in words. */
export function describe(message: Json): Description {
  const type = textOf(message.type) ?? 'unknown';
  const part = message[type];
  const content = isObject(part) ? part : {};
  const words = Object.hasOwn(WORDS, type) ? WORDS[type]! : () => `A message of the kind “${type}”`;
  return {
    type: type.slice(0, 50),
    text: words(content, message).slice(0, MAX_TEXT).toWellFormed(),
    media: mediaOf(content),
  };
}

/** A text, cut to `max` characters and made storable; undefined for an empty one or anything else. */
export function textOf(value: unknown, max = MAX_ID): string | undefined {
  return typeof value === 'string' && value !== ''
    ? value.slice(0, max).replaceAll('\0', '\ufffd').toWellFormed()
    : undefined;
}

/** A number, also one that is written as text. */
export function numberOf(value: unknown): number | undefined {
  const isWritten = typeof value === 'string' && value.length <= MAX_DIGITS && value.trim() !== '';
  const number = isWritten ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const WORDS: Record<string, (content: Json, message: Json) => string> = {
  text: ({ body }) => textOf(body, MAX_TEXT) ?? '(an empty message)',
  image: ({ caption }) => withCaption('A picture', caption),
  video: ({ caption }) => withCaption('A video', caption),
  audio: ({ voice }) => (voice === true ? 'A voice message' : 'An audio file'),
  document: ({ filename, caption }) => withCaption(`A document${quoted(filename)}`, caption),
  sticker: ({ animated }) => (animated === true ? 'An animated sticker' : 'A sticker'),
  location: ({ name, address, latitude, longitude }) => {
    const place = [textOf(name), textOf(address)].filter(Boolean).join(', ');
    const [north, east] = [numberOf(latitude), numberOf(longitude)];
    const point = north === undefined || east === undefined ? '' : ` (${north}, ${east})`;
    return `A location${place ? `: ${place}` : ''}${point}`;
  },
  contacts: (_, { contacts }) => {
    const names = objects(contacts, MAX_CONTACTS).map(({ name, phones }) => {
      const called = isObject(name) ? textOf(name.formatted_name) : undefined;
      return [called ?? 'without a name', textOf(objects(phones, 1)[0]?.phone)].filter(Boolean).join(' ');
    });
    return `${names.length === 1 ? 'A contact' : 'Contacts'}: ${names.join(', ')}`;
  },
  // A pressed button or chosen list item counts as the person's text.
  interactive: (content) => {
    const reply = content.button_reply ?? content.list_reply;
    const { body, response_json: form } = isObject(content.nfm_reply) ? content.nfm_reply : {};
    return (
      (isObject(reply) ? textOf(reply.title) : undefined) ??
      textOf(form, MAX_TEXT) ??
      textOf(body, MAX_TEXT) ??
      'An answer without words'
    );
  },
  button: ({ text, payload }) => textOf(text) ?? textOf(payload) ?? 'A button was pressed',
  reaction: ({ emoji }) => (textOf(emoji) ? `Reacted with ${textOf(emoji)!}` : 'Took a reaction back'),
  order: ({ product_items: items, text }) => {
    const count = Array.isArray(items) ? items.length : 0;
    return withCaption(`An order of ${count} product${count === 1 ? '' : 's'}`, text);
  },
  system: ({ body }) => textOf(body, MAX_TEXT) ?? 'A notice of WhatsApp',
  request_welcome: () => 'Opened the conversation for the first time',
  unsupported: () => 'A message of a kind that WhatsApp doesn’t pass on',
  unknown: () => 'A message of a kind that WhatsApp doesn’t pass on',
};

/** The objects among the first items of a list. */
export function objects(value: unknown, atMost = Infinity): Json[] {
  return Array.isArray(value) ? value.slice(0, atMost).filter(isObject) : [];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withCaption(what: string, caption: unknown): string {
  const words = textOf(caption, MAX_TEXT);
  return words ? `${what}: ${words}` : what;
}

function quoted(name: unknown): string {
  const words = textOf(name);
  return words ? ` “${words}”` : '';
}

function mediaOf({ id, mime_type: mimeType, filename }: Json): Description['media'] {
  const mediaId = textOf(id);
  if (!mediaId || typeof mimeType !== 'string') return null;
  return { id: mediaId, mimeType: textOf(mimeType) ?? null, filename: textOf(filename) ?? null };
}
