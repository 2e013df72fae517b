import { type InvitationId, newId, type UserId, type WorkspaceId } from '../../../kernel/ids';
import type { Role } from '../../../kernel/role';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token';
import { foldText } from '../../../kernel/text';

const DAYS_VALID = 7;

/** An invitation and its token, which is stored as a hash only. */
export interface IssuedInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

/** Lets a person with its token and its email address join a workspace, once. */
export class Invitation {
  readonly workspaceId!: WorkspaceId;
  readonly id!: InvitationId;
  readonly email!: string;
  /** The address in the form in which it is compared. */
  readonly emailKey!: string;
  readonly role!: Role;
  readonly hash!: Buffer;
  readonly invitedBy!: UserId;
  readonly createdAt!: Date;
  readonly expiresAt!: Date;

  private constructor(fields: Invitation) {
    Object.assign(this, fields);
  }

  static issue(
    workspaceId: WorkspaceId,
    { email, role }: { email: string; role: Role },
    invitedBy: UserId,
    now: Date,
  ): IssuedInvitation {
    const token = newSecretToken();
    const expiresAt = new Date(now.getTime() + DAYS_VALID * 86_400_000);
    const hash = hashSecretToken(token);
    const invitation = new Invitation({
      workspaceId,
      id: newId('inv'),
      email,
      emailKey: foldText(email),
      role,
      hash,
      invitedBy,
      createdAt: now,
      expiresAt,
    });
    return { invitation, token };
  }
}
