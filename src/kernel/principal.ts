import type { WorkspaceId } from './ids';

/** Live data is real; test data is a sandbox beside it. The two never meet. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** Whose data: every access to tenant data names both. */
export interface WorkspaceRef {
  readonly workspaceId: WorkspaceId;
  readonly mode: Mode;
}

export interface Credential {
  readonly type: 'api_key' | 'oauth';
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Whether another has been issued in its place, and it works on for a grace period only. */
  readonly isReplaced?: boolean;
}

/** Whom a credential stands for: a workspace and mode, and itself. */
export interface Identity extends WorkspaceRef {
  readonly credential: Credential;
}

/** Who is calling, and from where. */
export interface Principal extends Identity {
  readonly address: string;
}
