import type { WorkspaceId } from './ids';

/** Live data is real, test data a sandbox. Neither is visible in the other mode. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** The owner of tenant data. Every access to such data names it. */
export interface WorkspaceRef {
  readonly workspaceId: WorkspaceId;
  readonly mode: Mode;
}

export interface Credential {
  readonly type: 'api_key' | 'oauth';
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The origins whose web pages may read responses to it, such as `https://app.example.com`; none by default. */
  readonly origins?: readonly string[];
  /** It was rotated, and works only until its grace period ends. */
  readonly isReplaced?: boolean;
  /** The first of the credentials that it replaces. They share its limits. */
  readonly replaces?: string;
}

/** A credential, and the workspace and mode that it acts for. */
export interface Identity extends WorkspaceRef {
  readonly credential: Credential;
}

/** Whether the credential has at least one of the scopes. */
export function hasAnyScope({ credential }: Identity, ...scopes: readonly string[]): boolean {
  return scopes.some((scope) => credential.scopes.includes(scope));
}

/** Whose limits a credential's requests count against: a rotation gives nobody further ones. */
export function countedAs({ credential }: Identity): string {
  return credential.replaces ?? credential.id;
}

/** The authenticated client of a request. */
export interface Principal extends Identity {
  readonly address: string;
}
