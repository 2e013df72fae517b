import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../kernel/errors';
import type { UserId, WorkspaceId } from '../../../kernel/ids';
import { MailQueue } from '../../../kernel/mail-queue';
import { type Mail, Mailer } from '../../../kernel/mailer';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Members, WorkspaceRepository } from '../../workspaces';
import type { Task } from '../domain/task';
import { dueMail } from './due-mail';
import { MailPreferences } from './mail-preferences';

/** Emails to assignees about due tasks: one for all tasks of a person that fall due together, and none in test mode. */
@Injectable()
export class DueMails {
  constructor(
    private readonly mails: MailQueue,
    private readonly mailer: Mailer,
    private readonly members: Members,
    private readonly workspaces: WorkspaceRepository,
    private readonly preferences: MailPreferences,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Adds the emails in the current unit of work. */
  async add(tasks: readonly Task[]): Promise<void> {
    if (this.mailer.reach === 'nowhere') return;
    const assigned = tasks.filter(({ mode, assigneeId }) => mode === 'live' && assigneeId !== null);
    for (const [workspaceId, ofWorkspace] of grouped(assigned, (task) => task.workspaceId)) {
      await this.addOf(
        workspaceId,
        grouped(ofWorkspace, (task) => task.assigneeId!),
      );
    }
  }

  private async addOf(workspaceId: WorkspaceId, byAssignee: Map<UserId, Task[]>): Promise<void> {
    const workspace = await this.workspaces.find(workspaceId);
    const declined = await this.preferences.declinedBy(workspaceId, [...byAssignee.keys()]);
    const { members } = await this.members.list(workspaceId);
    for (const { userId, email } of members) {
      const tasks = byAssignee.get(userId);
      if (!workspace || !tasks || declined.has(userId)) continue;
      await this.addOne(workspaceId, dueMail(email, workspace, tasks));
    }
  }

  /** A workspace whose emails pile up goes without: its tasks are announced by their events all the same. */
  private async addOne(workspaceId: WorkspaceId, mail: Mail): Promise<void> {
    try {
      await this.unitOfWork.run(() => this.mails.add(mail, { workspaceId }));
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
    }
  }
}

function grouped<Key>(tasks: readonly Task[], keyOf: (task: Task) => Key): Map<Key, Task[]> {
  const groups = new Map<Key, Task[]>();
  for (const task of tasks) groups.set(keyOf(task), [...(groups.get(keyOf(task)) ?? []), task]);
  return groups;
}
