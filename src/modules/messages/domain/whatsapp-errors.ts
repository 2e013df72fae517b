import type { MessageError } from './message-error';

/** The provider's error codes that a sender can act on, with our code and text for each. */
const WORDS: Record<number, [code: string, message: string]> = {
  0: [
    'not_authorized',
    'WhatsApp doesn’t accept the access token any more. Connect the channel again with a new one.',
  ],
  3: [
    'not_permitted',
    'The access token may not send messages. It needs the permission whatsapp_business_messaging.',
  ],
  10: [
    'not_permitted',
    'The access token may not send from this number. It needs the permission whatsapp_business_messaging.',
  ],
  33: ['number_removed', 'The number that the channel sends from was deleted at WhatsApp.'],
  100: [
    'invalid_request',
    'WhatsApp found something wrong with the request. Check the connected number, and what was sent.',
  ],
  190: ['not_authorized', 'The access token has expired. Connect the channel again with a new one.'],
  368: ['account_blocked', 'WhatsApp has blocked the account for a violation of its policies.'],
  130472: ['not_delivered', 'WhatsApp didn’t deliver it: the recipient is part of one of its experiments.'],
  130497: ['country_not_allowed', 'WhatsApp doesn’t let the account write to numbers of that country.'],
  131005: [
    'not_permitted',
    'The access token may not send messages. It needs the permission whatsapp_business_messaging.',
  ],
  131008: [
    'invalid_request',
    'WhatsApp misses something in the message, such as a variable of the template.',
  ],
  131009: ['invalid_request', 'WhatsApp doesn’t take a value in the message, such as the phone number.'],
  131021: ['recipient_is_sender', 'A number can’t write to itself.'],
  131026: [
    'undeliverable',
    'The number can’t be reached: it may not be on WhatsApp, or have an old version of it.',
  ],
  131030: [
    'recipient_not_allowed',
    'The connected number is WhatsApp’s test number, and the recipient is not among those it may write to.',
  ],
  131031: ['account_blocked', 'WhatsApp has locked the account.'],
  131037: ['display_name_missing', 'The connected number needs a display name that WhatsApp has approved.'],
  131042: ['payment_problem', 'WhatsApp can’t charge the account: check its payment method.'],
  131045: ['number_not_registered', 'The connected number has to be registered at WhatsApp again.'],
  131047: [
    'window_closed',
    'More than 24 hours have passed since the recipient’s last message. Send a template.',
  ],
  131048: [
    'spam_limited',
    'WhatsApp limits the number, since too many of its messages were blocked or reported.',
  ],
  131049: [
    'not_delivered',
    'WhatsApp didn’t deliver it, to keep the recipient from getting too much advertising.',
  ],
  131050: ['opted_out', 'The recipient has told WhatsApp that they want no advertising from this number.'],
  131051: ['unsupported', 'WhatsApp doesn’t know this kind of message.'],
  131056: [
    'pair_rate_limited',
    'Too many messages to this number within a short time. Wait a while, and send it again.',
  ],
  132000: ['template_variables', 'The number of variables is not that of the template.'],
  132001: ['template_missing', 'WhatsApp has no such template in that language, or has not approved it.'],
  132005: ['template_too_long', 'The template is too long with these variables.'],
  132007: ['template_policy', 'The template violates WhatsApp’s policies.'],
  132012: ['template_variables', 'A variable isn’t in the form that the template wants.'],
  132015: ['template_paused', 'WhatsApp has paused the template because of its quality.'],
  132016: ['template_paused', 'WhatsApp has disabled the template for good because of its quality.'],
  133010: ['number_not_registered', 'The connected number is not registered at WhatsApp.'],
};

/** Codes of temporary failures. Nothing was sent. */
const TEMPORARY = new Set([1, 2, 4, 17, 613, 80007, 130429, 131000, 131016, 131056, 131057, 133004]);

export function isTemporary(code: number): boolean {
  return TEMPORARY.has(code);
}

/** Our description of the provider's error, whose own text may quote the number or the message. */
export function explain(code: number | undefined): MessageError {
  const [name, message] =
    WORDS[code ?? -1] ??
    (code !== undefined && code >= 200 && code <= 299
      ? WORDS[10]!
      : ['refused', 'WhatsApp refused the message.']);
  return { code: name, message: code === undefined ? message : `${message} (WhatsApp ${code})` };
}
