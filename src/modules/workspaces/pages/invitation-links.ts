import { Injectable } from '@nestjs/common';
import type { Path } from '../../../platform/pages/components/link';
import { isSameSecret } from '../../../kernel/secret-token';
import { SecretBox } from '../../../platform/encryption/secret-box';

/**
 * An invitation has two links: one is shown to the inviter, the other is only emailed. The emailed link ends with a signature that
 * can't be derived from the first link, and so proves that the visitor reads the mailbox.
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

  /** Parses the last segment of a link's path. */
  read(part: string): { token: string; isMailed: boolean } {
    const [token = '', signature = ''] = part.split('.');
    return { token, isMailed: isSameSecret(signature, this.signatureOf(token)) };
  }

  private signatureOf(token: string): string {
    return this.secrets.sign(token, 'mailed invitation');
  }
}
