import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotFound } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { type AuditActionWords, type AuditDetail, AuditLog } from '../../audit-log';
import type { Template } from '../domain/template';
import {
  type Account,
  type Connection,
  ConnectionRepository,
  type ConnectionView,
  type Credentials,
  ProviderAccounts,
  TemplateRepository,
} from './connection';
import { type MessageSettings, MessageSettingsRepository } from './message-settings';

export const CHANNEL_ACTIONS = {
  'channel.connected': 'Connected the WhatsApp number {target}',
  'channel.disconnected': 'Disconnected the WhatsApp number {target}',
  'channel.settings_changed': 'Changed how conversations are handled',
} satisfies AuditActionWords;

/** Connects, checks and disconnects a workspace's number. */
@Injectable()
export class ManageChannel {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly templates: TemplateRepository,
    private readonly accounts: ProviderAccounts,
    private readonly settings: MessageSettingsRepository,
    private readonly auditLog: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async find(ref: WorkspaceRef): Promise<ConnectionView | undefined> {
    const connection = await this.connections.find(ref);
    return connection && viewOf(connection);
  }

  listTemplates(ref: WorkspaceRef): Promise<Template[]> {
    return this.templates.list(ref);
  }

  /** Checks the credentials with the provider before they are stored. */
  async connect(ref: WorkspaceRef, actor: Actor, credentials: Credentials): Promise<void> {
    const account = await this.accounts.describe(credentials);
    const templates = await this.accounts.templates(credentials);
    await this.unitOfWork.run(async () => {
      const id = await this.connections.save(ref, credentials, account, this.clock.now());
      await this.templates.replace(ref, templates);
      const target = { id, name: account.displayPhone };
      await this.record(ref, actor, 'channel.connected', target, {
        phoneNumberId: credentials.phoneNumberId,
      });
    });
  }

  async test(ref: WorkspaceRef): Promise<Account> {
    return this.accounts.describe(await this.connection(ref));
  }

  async refreshTemplates(ref: WorkspaceRef): Promise<void> {
    const templates = await this.accounts.templates(await this.connection(ref));
    await this.unitOfWork.run(() => this.templates.replace(ref, templates));
  }

  /** Deletes the credentials. Queued messages fail as disconnected. */
  async disconnect(ref: WorkspaceRef, actor: Actor): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { id, displayPhone } = await this.connection(ref);
      await this.connections.remove(ref);
      await this.templates.replace(ref, []);
      await this.record(ref, actor, 'channel.disconnected', { id, name: displayPhone });
    });
  }

  getSettings(ref: WorkspaceRef): Promise<MessageSettings> {
    return this.settings.get(ref);
  }

  async changeSettings(ref: WorkspaceRef, actor: Actor, settings: MessageSettings): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.settings.save(ref, settings);
      const { languages, createsLeads } = settings;
      const target = { id: null, name: 'Conversations' };
      await this.record(ref, actor, 'channel.settings_changed', target, { languages, createsLeads });
    });
  }

  private async connection(ref: WorkspaceRef): Promise<Connection> {
    const connection = await this.connections.find(ref);
    if (!connection) throw new NotFound('channel');
    return connection;
  }

  private record(
    { workspaceId, mode }: WorkspaceRef,
    actor: Actor,
    action: keyof typeof CHANNEL_ACTIONS,
    target: { id: string | null; name: string },
    details: Record<string, AuditDetail> = {},
  ): Promise<void> {
    return this.auditLog.append({ workspaceId, mode, actor, action, target, details });
  }
}

function viewOf(connection: Connection): ConnectionView {
  const { id, phoneNumberId, businessAccountId, displayPhone, verifiedName } = connection;
  const { verifyToken, connectedAt, verifiedAt, lastCallbackAt } = connection;
  return {
    ...{ id, phoneNumberId, businessAccountId, displayPhone, verifiedName },
    ...{ verifyToken, connectedAt, verifiedAt, lastCallbackAt },
  };
}
