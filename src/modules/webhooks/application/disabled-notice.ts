import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../kernel/errors';
import type { WorkspaceId } from '../../../kernel/ids';
import { MailQueue } from '../../../kernel/mail-queue';
import type { Mail } from '../../../kernel/mailer';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Members } from '../../workspaces';

/** Mails the owners of a workspace that Gala has disabled an endpoint, in the unit of work that disables it. */
@Injectable()
export class DisabledNotice {
  constructor(
    private readonly members: Members,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** A workspace that causes too many emails goes without: the settings show the reason all the same. */
  async send(workspaceId: WorkspaceId, url: string, reason: string): Promise<void> {
    const { members } = await this.members.list(workspaceId);
    for (const { email, role } of members) {
      if (role === 'owner') await this.addOne(workspaceId, { to: email, ...notice(url, reason) });
    }
  }

  private async addOne(workspaceId: WorkspaceId, mail: Mail): Promise<void> {
    try {
      await this.unitOfWork.run(() => this.mails.add(mail, { workspaceId }));
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
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
