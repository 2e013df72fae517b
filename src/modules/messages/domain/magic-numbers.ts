import type { MessageError } from './message-error';
import type { Progress } from './message';
import type { Template } from './template';
import { explain } from './whatsapp-errors';

/** The outcome of a message to a number in test mode. */
interface SimulatedOutcome {
  readonly what: string;
  readonly error?: MessageError;
  /** The channel's answer is lost. */
  readonly isLost?: boolean;
  /** The final status; `delivered` by default. */
  readonly until?: Progress;
  /** Each step takes `SLOW_MS`. */
  readonly isSlow?: boolean;
  readonly replies?: boolean;
  /** Accepts free text only within 24 hours of its last message. All other numbers always accept it. */
  readonly isClosed?: boolean;
}

/**
 * Test numbers, each with a fixed outcome, like a payment sandbox's card numbers. They belong to nobody, and messages to
 * other numbers don't leave test mode either.
 */
export const MAGIC_NUMBERS: Readonly<Record<string, SimulatedOutcome>> = {
  '+15005550001': { what: 'Delivered, like every number not listed here' },
  '+15005550002': { what: 'Delivered and read', until: 'read' },
  '+15005550003': { what: 'Fails: the number is not on WhatsApp', error: explain(131026) },
  '+15005550004': { what: 'Fails: too many messages to one number', error: explain(131056) },
  '+15005550005': { what: 'Delivered and read, ten seconds apart', until: 'read', isSlow: true },
  '+15005550006': { what: 'Delivered, and replies with the same text: try STOP', replies: true },
  '+15005550007': {
    what: 'Refused: the 24-hour window is closed, so only templates can be sent',
    isClosed: true,
  },
  '+15005550008': { what: 'Fails as unconfirmed: the response was lost', isLost: true },
};

/** How long slow numbers take for each step. */
export const SLOW_MS = 10_000;
export const SLOW_PHONES = Object.keys(MAGIC_NUMBERS).filter((phone) => MAGIC_NUMBERS[phone]!.isSlow);

const ORDINARY: SimulatedOutcome = { what: 'Delivered' };

/** A recipient with a user id alone always has the ordinary outcome. */
export function outcomeOf(phone: string | null): SimulatedOutcome {
  return (phone === null ? undefined : MAGIC_NUMBERS[phone]) ?? ORDINARY;
}

/** The templates of test mode. */
export const SAMPLE_TEMPLATES: readonly Template[] = [
  template('hello_world', 'en_US', 'Welcome and congratulations!', []),
  template('visit_reminder', 'en', 'Hi {{1}}, we look forward to your visit on {{2}}.', ['1', '2']),
  template('visit_reminder', 'es', 'Hola {{1}}, te esperamos el {{2}}.', ['1', '2']),
];

function template(name: string, language: string, body: string, bodyVariables: string[]): Template {
  return { name, language, status: 'APPROVED', body, headerVariables: [], bodyVariables, obstacle: null };
}
