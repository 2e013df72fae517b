import { Injectable } from '@nestjs/common';
import type { WorkspaceId } from '../../../kernel/ids';
import { MailQueue } from '../../../kernel/mail-queue';
import { Members } from '../../workspaces';

/** Mails the owners of a workspace that Gala has disabled an endpoint, in the unit of work that disables it. */
@Injectable()
export class DisabledNotice {
  constructor(
    private readonly members: Members,
    private readonly mails: MailQueue,
  ) {}

  async send(workspaceId: WorkspaceId, url: string, reason: string): Promise<void> {
    const { members } = await this.members.list(workspaceId);
    for (const { email, role } of members) {
      if (role === 'owner') await this.mails.add({ to: email, ...notice(url, reason) });
    }
  }
}

function notice(url: string, reason: string) {
  return {
    subject: 'A webhook endpoint was disabled',
    text: `Gala disabled the webhook endpoint ${url}: ${reason}

Nothing is sent to it until you enable it again, in Gala’s settings under Webhooks or with PATCH /v1/webhooks/<id>
{"status": "enabled"}. Failed events are kept for 30 days, and you can resend them in the same place.
`,
  };
}
