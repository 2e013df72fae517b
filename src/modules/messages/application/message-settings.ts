import type { WorkspaceRef } from '../../../kernel/principal';

/** A workspace's settings for conversations. */
export interface MessageSettings {
  /** The languages whose words for STOP and START are recognised, besides English. */
  readonly languages: readonly string[];
  /** Whether a message from an unknown sender creates a lead. */
  readonly createsLeads: boolean;
}

export const DEFAULT_SETTINGS: MessageSettings = { languages: [], createsLeads: true };

export abstract class MessageSettingsRepository {
  /** The defaults if none are stored. */
  abstract get(ref: WorkspaceRef): Promise<MessageSettings>;
  abstract save(ref: WorkspaceRef, settings: MessageSettings): Promise<void>;
}
