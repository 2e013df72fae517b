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

/** What the people of a workspace decide about it. */
export interface WorkspaceSettings {
  name: string;
  /** tz database name. */
  timeZone: string;
  /** ISO 4217 code. */
  currency: string;
}

/** A customer: everything else belongs to one. */
export class Workspace implements WorkspaceSettings {
  readonly id!: WorkspaceId;
  name!: string;
  timeZone!: string;
  currency!: string;
  readonly createdAt!: Date;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  static open(settings: WorkspaceSettings, now: Date): Workspace {
    refuseFaulty(settings);
    return new Workspace({ id: newId('ws'), ...settings, createdAt: now });
  }

  /** The former values of what became different. */
  change({ name, timeZone, currency }: WorkspaceSettings): Partial<WorkspaceSettings> {
    const wish = { name, timeZone, currency };
    refuseFaulty(wish);
    const fields = Object.keys(wish) as (keyof WorkspaceSettings)[];
    const previous = fields
      .filter((field) => wish[field] !== this[field])
      .map((field) => [field, this[field]]);
    Object.assign(this, wish);
    return Object.fromEntries(previous) as Partial<WorkspaceSettings>;
  }
}

function refuseFaulty({ name, timeZone, currency }: WorkspaceSettings): void {
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
  const [first, ...more] = problems;
  if (first) throw new ValidationFailed(first, ...more);
}
