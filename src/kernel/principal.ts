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
}

/** Who is calling: the workspace and mode, and the credential that opened them. */
export interface Principal extends WorkspaceRef {
  readonly credential: Credential;
}
