import { Injectable } from '@nestjs/common';
import type { Path } from '../../../platform/pages/components/link';
import { isSameSecret } from '../../../kernel/secret-token';
import { SecretBox } from '../../../platform/encryption/secret-box';

/**
 * The links of an invitation: one that its inviter sees, and one that is mailed alone. The mailed one ends with a signature that
 * nobody can make from the other, and so proves that it reached the mailbox.
 */
@Injectable()
export class InvitationLinks {
  constructor(private readonly secrets: SecretBox) {}

  shown(token: string): Path {
    return `/invitations/${token}`;
  }

  mailed(token: string): Path {
    return `/invitations/${token}.${this.signatureOf(token)}`;
  }

  /** What the last part of a link's path says. */
  read(part: string): { token: string; isMailed: boolean } {
    const [token = '', signature = ''] = part.split('.');
    return { token, isMailed: isSameSecret(signature, this.signatureOf(token)) };
  }

  private signatureOf(token: string): string {
    return this.secrets.sign(token, 'mailed invitation');
  }
}
