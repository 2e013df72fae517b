import { Injectable } from '@nestjs/common';
import { type ChannelId, fromUuid, newId, toUuid } from '../../../kernel/ids';
import type { Mode, WorkspaceRef } from '../../../kernel/principal';
import { newSecretToken } from '../../../kernel/secret-token';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { SecretBox } from '../../../platform/encryption/secret-box';
import { Database } from '../../../platform/persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type Account,
  type Connection,
  ConnectionRepository,
  type Credentials,
} from '../application/connection';

interface Row {
  workspace_id: string;
  mode: Mode;
  id: string;
  phone_number_id: string;
  business_account_id: string;
  display_phone: string;
  verified_name: string | null;
  access_token: Buffer;
  app_secret: Buffer;
  verify_token: Buffer;
  connected_at: Date;
  verified_at: Date | null;
  last_callback_at: Date | null;
}

type Secret = 'access token' | 'app secret' | 'verify token';

/** The encryption context of a connection's secret. */
function placeOf(id: ChannelId, secret: Secret): string {
  return `${secret} of ${id}`;
}

const MARK_EVERY = '1 minute';

@Injectable()
export class PostgresConnectionRepository extends ConnectionRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
    for (const column of ['access_token', 'app_secret', 'verify_token'] as const) {
      const secret = column.replace('_', ' ') as Secret;
      const table = 'message_channels';
      secrets.keptIn({ table, column, placeOf: (uuid) => placeOf(fromUuid('chan', uuid), secret) });
    }
  }

  async find(ref: WorkspaceRef): Promise<Connection | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT * FROM message_channels WHERE ${IN_WORKSPACE}`,
      workspaceKey(ref),
    );
    return row && this.toConnection(row);
  }

  async findById(id: ChannelId): Promise<Connection | undefined> {
    const [row] = await this.database.sql<Row>('SELECT * FROM message_channels WHERE id = $1', [toUuid(id)]);
    return row && this.toConnection(row);
  }

  save(ref: WorkspaceRef, credentials: Credentials, account: Account, now: Date): Promise<ChannelId> {
    return this.unitOfWork.run(async () => {
      const workspace = toUuid(ref.workspaceId);
      // The id is needed to encrypt the secrets, so the lock keeps another request from creating a second one.
      await this.database.sql('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspace]);
      const former = await this.find(ref);
      const id = former?.id ?? newId('chan');
      const seal = (secret: string, kind: Secret) => this.secrets.seal(secret, placeOf(id, kind));
      const isSameApp = former?.appSecret === credentials.appSecret;
      await this.database.sql(`DELETE FROM message_channels WHERE ${IN_WORKSPACE}`, [workspace, ref.mode]);
      await this.database.sql(
        `INSERT INTO message_channels (workspace_id, mode, id, phone_number_id, business_account_id, display_phone,
           verified_name, access_token, app_secret, verify_token, connected_at, verified_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          workspace,
          ref.mode,
          toUuid(id),
          credentials.phoneNumberId,
          credentials.businessAccountId,
          account.displayPhone,
          account.verifiedName,
          await seal(credentials.accessToken, 'access token'),
          await seal(credentials.appSecret, 'app secret'),
          await seal(former?.verifyToken ?? newSecretToken(), 'verify token'),
          now,
          isSameApp ? former.verifiedAt : null,
        ],
      );
      return id;
    });
  }

  async remove(ref: WorkspaceRef): Promise<void> {
    await this.database.sql(`DELETE FROM message_channels WHERE ${IN_WORKSPACE}`, workspaceKey(ref));
  }

  async markVerified(ref: WorkspaceRef, now: Date): Promise<void> {
    await this.database.sql(`UPDATE message_channels SET verified_at = $3 WHERE ${IN_WORKSPACE}`, [
      ...workspaceKey(ref),
      now,
    ]);
  }

  /** Accurate to the minute: callbacks come by the hundred. */
  async markCallback(ref: WorkspaceRef, now: Date): Promise<void> {
    await this.database.sql(
      `UPDATE message_channels SET last_callback_at = $3::timestamptz WHERE ${IN_WORKSPACE}
       AND (last_callback_at IS NULL OR last_callback_at < $3::timestamptz - interval '${MARK_EVERY}')`,
      [...workspaceKey(ref), now],
    );
  }

  private toConnection(row: Row): Connection {
    const id = fromUuid('chan', row.id);
    return {
      ref: { workspaceId: fromUuid('ws', row.workspace_id), mode: row.mode },
      id,
      phoneNumberId: row.phone_number_id,
      businessAccountId: row.business_account_id,
      displayPhone: row.display_phone,
      verifiedName: row.verified_name,
      accessToken: this.secrets.open(row.access_token, placeOf(id, 'access token')),
      appSecret: this.secrets.open(row.app_secret, placeOf(id, 'app secret')),
      verifyToken: this.secrets.open(row.verify_token, placeOf(id, 'verify token')),
      connectedAt: row.connected_at,
      verifiedAt: row.verified_at,
      lastCallbackAt: row.last_callback_at,
    };
  }
}
