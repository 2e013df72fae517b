import { newId, type UserId, type WorkspaceId } from '../../../kernel/ids';

const FULL_NAME = /^(?:UTC|[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)+)$/;
const ZONES = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** Whether `text` is a zone of the tz database by its full name, such as Europe/Madrid; abbreviations are ambiguous. */
export function isTimeZone(text: string): boolean {
  const listed = ZONES.get(text.toLowerCase());
  if (listed) return listed === text;
  if (!FULL_NAME.test(text)) return false;
  try {
    // Of the names of one zone only one is listed, and on older versions of Node not always today's.
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Whether `text` is a currency of ISO 4217, such as EUR. */
export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text);
}

/** A customer: everything else belongs to one. */
export class Workspace {
  readonly id!: WorkspaceId;
  readonly name!: string;
  /** tz database name. */
  readonly timeZone!: string;
  /** ISO 4217 code. */
  readonly currency!: string;
  readonly createdAt!: Date;

  private constructor(fields: Workspace) {
    Object.assign(this, fields);
  }

  static open(fields: { name: string; timeZone: string; currency: string }, now: Date): Workspace {
    return new Workspace({ id: newId('ws'), ...fields, createdAt: now });
  }
}

/** Someone who signs in to the settings area. Belongs to workspaces by membership. */
export class User {
  readonly id!: UserId;
  readonly email!: string;
  readonly createdAt!: Date;

  private constructor(fields: User) {
    Object.assign(this, fields);
  }

  static invite(email: string, now: Date): User {
    return new User({ id: newId('user'), email, createdAt: now });
  }
}

export type Role = 'owner' | 'admin' | 'member';
