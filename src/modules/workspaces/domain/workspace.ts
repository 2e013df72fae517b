import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
import { newId, type WorkspaceId } from '../../../kernel/ids';
import { codePoints, textProblem } from '../../../kernel/text';
import { isTimeZone } from '../../../kernel/time-zone';

const MAX_NAME_LENGTH = 100;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Whether `text` is a currency of ISO 4217, such as EUR. */
export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text);
}

/** Whether `text` is a supported language with or without a region, such as en-GB. */
function isLocale(text: string): boolean {
  try {
    return (
      Intl.getCanonicalLocales(text)[0] === text && Intl.NumberFormat.supportedLocalesOf(text).length > 0
    );
  } catch {
    return false;
  }
}

/** The settings of a workspace that its members can change. */
export interface WorkspaceSettings {
  name: string;
  /** tz database name. */
  timeZone: string;
  /** ISO 4217 code. */
  currency: string;
  /** The language and format of texts for clients, as a BCP 47 tag. */
  locale: string;
}

/** Without a locale the current one stays; the default is British English. */
export type WorkspaceInput = Omit<WorkspaceSettings, 'locale'> & Partial<WorkspaceSettings>;

/** A customer. All other data belongs to a workspace. */
export class Workspace implements WorkspaceSettings {
  readonly id!: WorkspaceId;
  name!: string;
  timeZone!: string;
  currency!: string;
  locale!: string;
  readonly createdAt!: Date;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open(settings: WorkspaceInput, now: Date): Workspace {
    const complete = { locale: 'en-GB', ...settings };
    refuseFaulty(complete);
    return new Workspace({ id: newId('ws'), ...complete, createdAt: now });
  }

  /** The previous values of the changed settings. */
  change({ name, timeZone, currency, locale = this.locale }: WorkspaceInput): Partial<WorkspaceSettings> {
    const input = { name, timeZone, currency, locale };
    refuseFaulty(input);
    const fields = Object.keys(input) as (keyof WorkspaceSettings)[];
    const previous = fields
      .filter((field) => input[field] !== this[field])
      .map((field) => [field, this[field]]);
    Object.assign(this, input);
    return Object.fromEntries(previous) as Partial<WorkspaceSettings>;
  }
}

function refuseFaulty({ name, timeZone, currency, locale }: WorkspaceSettings): void {
  const problems: FieldProblem[] = [];
  if (name.trim() === '' || codePoints(name) > MAX_NAME_LENGTH) {
    problems.push({ field: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters` });
  } else if (textProblem(name)) problems.push({ field: 'name', message: textProblem(name)! });
  if (!isTimeZone(timeZone)) {
    problems.push({ field: 'timeZone', message: 'must be a tz database name such as Europe/Madrid' });
  }
  if (!isCurrency(currency)) {
    problems.push({ field: 'currency', message: 'must be an ISO 4217 code such as EUR' });
  }
  if (!isLocale(locale)) problems.push({ field: 'locale', message: 'must be a locale such as en-GB' });
  const [first, ...more] = problems;
  if (first) throw new ValidationFailed(first, ...more);
}
