import { Injectable } from '@nestjs/common';
import type { Actor, Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { AppId, InstallationId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { type Installation, installationEvent } from '../domain/installation';
import { InstallationRepository } from './installation-repository';
import { auditEntry } from './oauth-actions';

/** Takes effect at once: every request looks up its token, and the tokens are deleted with the installation. */
@Injectable()
export class UninstallApp {
  constructor(
    private readonly installations: InstallationRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(ref: WorkspaceRef, actor: Person, id: InstallationId): Promise<void> {
    return this.unitOfWork.run(async () => {
      const installation = await this.installations.lock(ref, id);
      if (!installation) throw new NotFound('app in this workspace');
      if (!installation.removedAt) await this.remove(installation, actor);
    });
  }

  /** Removes one app from all workspaces. */
  async everywhere(appId: AppId, actor: Actor): Promise<void> {
    for (const installation of await this.installations.lockAllOf(appId)) {
      await this.remove(installation, actor);
    }
  }

  private async remove(installation: Installation, actor: Actor): Promise<void> {
    const now = this.clock.now();
    const removed = { ...installation, removedAt: now };
    await this.installations.remove(removed, [installationEvent('app.uninstalled', removed, now)]);
    await this.auditLog.append(auditEntry('app.uninstalled', actor, removed));
  }
}
