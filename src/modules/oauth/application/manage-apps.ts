import { Injectable } from '@nestjs/common';
import { OPERATOR } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { AppId } from '../../../kernel/ids';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { App, type AppSettings } from '../domain/app';
import { AppRepository } from './app-repository';
import { UninstallApp } from './uninstall-app';

/** The operator's management of the apps that customers can install. */
@Injectable()
export class ManageApps {
  constructor(
    private readonly apps: AppRepository,
    private readonly uninstallApp: UninstallApp,
    private readonly scopes: ScopeRegistry,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async register(
    settings: AppSettings,
    kind: { isPublic: boolean },
  ): Promise<{ app: App; secret: string | null }> {
    this.refuseUnknownScopes(settings.scopes);
    const registered = App.register(settings, kind, this.clock.now());
    await this.apps.add(registered.app);
    return registered;
  }

  list(): Promise<App[]> {
    return this.apps.list();
  }

  async change(id: AppId, settings: Partial<AppSettings>): Promise<App> {
    this.refuseUnknownScopes(settings.scopes ?? []);
    return this.onLocked(id, (app) => app.change(settings));
  }

  async rotateSecret(id: AppId): Promise<{ app: App; secret: string }> {
    let secret = '';
    const app = await this.onLocked(id, (locked) => {
      if (locked.isPublic) {
        throw new ValidationFailed({ field: 'app', message: 'is a public client, which has no secret' });
      }
      secret = locked.rotateSecret();
    });
    return { app, secret };
  }

  /** Deletes an app and removes it from every workspace. */
  delete(id: AppId): Promise<App> {
    return this.unitOfWork.run(async () => {
      const app = await this.apps.lock(id);
      if (!app) throw new NotFound('app');
      await this.uninstallApp.everywhere(id, OPERATOR);
      await this.apps.delete(id, this.clock.now());
      return app;
    });
  }

  private onLocked(id: AppId, work: (app: App) => void): Promise<App> {
    return this.unitOfWork.run(async () => {
      const app = await this.apps.lock(id);
      if (!app) throw new NotFound('app');
      work(app);
      await this.apps.save(app);
      return app;
    });
  }

  private refuseUnknownScopes(scopes: readonly string[]): void {
    const unknown = scopes.find((scope) => !this.scopes.has(scope));
    if (unknown !== undefined) {
      throw new ValidationFailed({
        field: 'scopes',
        message: `there is no scope ${JSON.stringify(unknown)}`,
      });
    }
  }
}
