import { Injectable } from '@nestjs/common';
import type { WorkspaceId } from '../../../kernel/ids';
import { Mailer } from '../../../kernel/mailer';
import { Members } from '../../workspaces';

/** Tells a workspace's owners by mail that an endpoint was disabled. */
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
    subject: 'Gala no longer sends to one of your webhook endpoints',
    text: `The webhook endpoint ${url} was disabled: ${reason}

Nothing is sent to it until it is enabled again: in Gala’s settings under Webhooks, or by PATCH /v1/webhooks/<id> with
{"status": "enabled"}. There, too, one has sent again what was given up: it is kept for 30 days.
`,
  };
}
