import type { UserId, WorkspaceId } from '../../../kernel/ids';

/** Which members of a workspace want no email about their tasks. By default everybody wants it. */
export abstract class MailPreferences {
  abstract wantsMails(workspaceId: WorkspaceId, userId: UserId): Promise<boolean>;
  /** Of these members, those who want none. */
  abstract declinedBy(workspaceId: WorkspaceId, userIds: readonly UserId[]): Promise<Set<UserId>>;
  abstract set(workspaceId: WorkspaceId, userId: UserId, wantsMails: boolean): Promise<void>;
}
