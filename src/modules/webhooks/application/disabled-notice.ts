import { Injectable } from '@nestjs/common';
import type { WorkspaceId } from '../../../kernel/ids';
import { Mailer } from '../../../kernel/mailer';
import { Members } from '../../workspaces';

/** Mails the owners of a workspace that Gala has disabled an endpoint. */
@Injectable()
export class DisabledNotice {
  constructor(
    private readonly members: Members,
    private readonly mailer: Mailer,
  ) {}

  async send(workspaceId: WorkspaceId, url: string, reason: string): Promise<void> {
    const { members } = await this.members.list(workspaceId);
    for (const { email, role } of members) {
      if (role === 'owner') this.mailer.post({ to: email, ...notice(url, reason) });
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
