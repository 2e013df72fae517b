import type { WorkspaceRef } from '../../../kernel/principal';

/** What a workspace decides about its conversations. */
export interface MessageSettings {
  /** Whose words for STOP and START count, beside the English ones. */
  readonly languages: readonly string[];
  /** Whether an unknown number that writes becomes a lead. */
  readonly createsLeads: boolean;
}

export const DEFAULT_SETTINGS: MessageSettings = { languages: [], createsLeads: true };

export abstract class MessageSettingsRepository {
  /** The defaults when nobody has decided anything. */
  abstract get(ref: WorkspaceRef): Promise<MessageSettings>;
  abstract save(ref: WorkspaceRef, settings: MessageSettings): Promise<void>;
}
