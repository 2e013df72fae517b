import type { MessageError } from './message-error';
import type { Progress } from './message';
import type { Template } from './template';
import { explain } from './whatsapp-errors';

/** How a message to a number fares in test mode. */
export interface SimulatedOutcome {
  readonly what: string;
  readonly error?: MessageError;
  /** Its answer is lost. */
  readonly isLost?: boolean;
  /** How far it gets; `delivered` when nothing is said. */
  readonly until?: Progress;
  /** Each step takes `SLOW_MS`. */
  readonly isSlow?: boolean;
  readonly replies?: boolean;
  /** Takes free text only within 24 hours of its last message; other conversations always count as open. */
  readonly isClosed?: boolean;
}

/**
 * Like a payment sandbox's card numbers: each always has the same fate. They are from a range that nobody has; whatever
 * other number is written to, nothing leaves either.
 */
export const MAGIC_NUMBERS: Readonly<Record<string, SimulatedOutcome>> = {
  '+15005550001': { what: 'Delivered, as every number that isn’t listed here' },
  '+15005550002': { what: 'Delivered and read', until: 'read' },
  '+15005550003': { what: 'Fails: the number is not on WhatsApp', error: explain(131026) },
  '+15005550004': { what: 'Fails: too many messages to one number', error: explain(131056) },
  '+15005550005': { what: 'Delivered and read, with ten seconds for each', until: 'read', isSlow: true },
  '+15005550006': { what: 'Delivered, and answers with the same text: try STOP', replies: true },
  '+15005550007': { what: 'Refused: the 24 hours are over, and only templates may be sent', isClosed: true },
  '+15005550008': { what: 'Fails as unconfirmed: the answer was lost', isLost: true },
};

/** How long slow numbers take for each step. */
export const SLOW_MS = 10_000;
export const SLOW_PHONES = Object.keys(MAGIC_NUMBERS).filter((phone) => MAGIC_NUMBERS[phone]!.isSlow);

const ORDINARY: SimulatedOutcome = { what: 'Delivered' };

/** Of a user id, which is no phone, always the ordinary one. */
export function outcomeOf(phone: string | null): SimulatedOutcome {
  return (phone === null ? undefined : MAGIC_NUMBERS[phone]) ?? ORDINARY;
}

/** The templates that test mode has. */
export const SAMPLE_TEMPLATES: readonly Template[] = [
  template('hello_world', 'en_US', 'Welcome and congratulations!', []),
  template('visit_reminder', 'en', 'Hi {{1}}, we look forward to your visit on {{2}}.', ['1', '2']),
  template('visit_reminder', 'es', 'Hola {{1}}, te esperamos el {{2}}.', ['1', '2']),
];

function template(name: string, language: string, body: string, bodyVariables: string[]): Template {
  return { name, language, status: 'APPROVED', body, headerVariables: [], bodyVariables, obstacle: null };
}
