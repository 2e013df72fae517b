import { Injectable } from '@nestjs/common';
import {
  ExtensionSettings,
  type FieldProblem,
  fieldRules,
  type WorkspaceRef,
  type WorkspaceSettings,
} from 'gala';

export interface Settings {
  /** Of leads whose client has an account; null for none. */
  memberTag: string | null;
  /** Whether a lead keeps the address by which its client’s points are found. */
  keepsAddress: boolean;
  /** What the staff is told about the programme. */
  notes: string | null;
}

const DEFAULTS: Settings = { memberTag: 'regular', keepsAddress: true, notes: null };
const RULES = { memberTag: fieldRules.text(50), notes: fieldRules.text(2000) };

/** What each workspace decides about the programme. */
@Injectable()
export class LoyaltySettings {
  private readonly settings: WorkspaceSettings<Settings>;

  constructor(settings: ExtensionSettings) {
    this.settings = settings.define<Settings>({
      name: 'loyalty',
      defaults: DEFAULTS,
      problems: problemsOf,
    });
  }

  get(ref: WorkspaceRef): Promise<Settings> {
    return this.settings.get(ref);
  }

  change(ref: WorkspaceRef, changes: Partial<Settings>): Promise<Settings> {
    return this.settings.change(ref, changes);
  }
}

function problemsOf(settings: Settings): FieldProblem[] {
  return (['memberTag', 'notes'] as const).flatMap((field) => {
    const value = settings[field];
    const message = value === null ? undefined : RULES[field](value);
    return message ? [{ field, message }] : [];
  });
}
