import type { Actor, WorkspaceRef } from 'gala';

export const MOST_AT_A_TILL = 500;

/** As the audit log and the request log know the tills of a workspace. */
export const tillId = ({ workspaceId, mode }: WorkspaceRef) => `till_${mode}_${workspaceId}`;

export const isTill = ({ id }: Actor) => id?.startsWith('till_') ?? false;
