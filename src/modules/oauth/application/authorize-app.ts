import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { Forbidden, NotFound } from '../../../kernel/errors';
import { newId, parseId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import { atLeast } from '../../../kernel/role';
import { hashSecretToken } from '../../../kernel/secret-token';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLog } from '../../audit-log';
import { Members } from '../../workspaces';
import {
  type Client,
  type AuthorizationRequest,
  checkRequest,
  identifyClient,
  type Parameters,
} from '../domain/authorization-request';
import { type Installation, installationEvent } from '../domain/installation';
import { OAuthError } from '../domain/oauth-error';
import { CODE_SECONDS, newCode } from '../domain/tokens';
import { AppRepository } from './app-repository';
import { InstallationRepository } from './installation-repository';
import { auditEntry } from './oauth-actions';

/** A person's decision to give an app access to a workspace (RFC 6749 section 4.1.1). */
@Injectable()
export class AuthorizeApp {
  constructor(
    private readonly apps: AppRepository,
    private readonly installations: InstallationRepository,
    private readonly members: Members,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The client of the request. Its errors are shown to the person and never sent to the client. */
  async identify(parameters: Parameters): Promise<Client> {
    const { client_id: clientId } = parameters;
    const id = typeof clientId === 'string' ? parseId('app', clientId) : undefined;
    return identifyClient(parameters, id && (await this.apps.find(id)));
  }

  /** The access that is requested. Its errors are sent to the client. */
  check(parameters: Parameters, client: Client): AuthorizationRequest {
    return checkRequest(parameters, client);
  }

  /** Resolves to the authorization code. */
  allow(request: AuthorizationRequest, ref: WorkspaceRef, person: Person): Promise<string> {
    return this.unitOfWork.run(async () => {
      await this.refuseUnlessAdmin(ref, person);
      const now = this.clock.now();
      const installation = await this.install(request, ref, person, now);
      const code = newCode();
      const stored = {
        hash: hashSecretToken(code),
        redirectUri: request.redirectUri,
        codeChallenge: request.codeChallenge,
        expiresAt: new Date(now.getTime() + CODE_SECONDS * 1000),
      };
      await this.installations.addGrant(installation, person.id, stored, now);
      return code;
    });
  }

  private async refuseUnlessAdmin({ workspaceId }: WorkspaceRef, person: Person): Promise<void> {
    const membership = await this.members.membershipOf(workspaceId, person.id);
    if (!membership) throw new NotFound('workspace');
    if (!atLeast(membership.role, 'admin')) {
      throw new Forbidden('Only owners and admins can install apps.');
    }
  }

  private async install(
    { app, scopes }: AuthorizationRequest,
    ref: WorkspaceRef,
    person: Person,
    now: Date,
  ): Promise<Installation> {
    if (!(await this.apps.lock(app.id))) {
      throw new OAuthError('unauthorized_client', 'The app is not registered any more.');
    }
    const former = await this.installations.lockOf(ref, app);
    const installation: Installation = former
      ? { ...former, appName: app.name, scopes }
      : {
          ...{ workspaceId: ref.workspaceId, mode: ref.mode, id: newId('inst') },
          ...{ appId: app.id, appName: app.name, scopes, installedBy: person.id },
          ...{ createdAt: now, lastUsedAt: null, removedAt: null },
        };
    if (former) await this.installations.setScopes(installation);
    else await this.installations.add(installation, [installationEvent('app.installed', installation, now)]);
    await this.auditLog.append(auditEntry('app.installed', person, installation));
    return installation;
  }
}
