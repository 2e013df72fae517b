import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { Database } from '../persistence/database';
import { KEY_BYTES, localEncryptionKey } from './encryption-key';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Rows that a key rotation locks at a time. */
const BATCH = 100;

interface SealedRow {
  id: string;
  sealed: Buffer;
}

/** A column of sealed secrets, registered so that key rotation can find them. Its table has a `uuid` column `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The place for which a row's secret was sealed. */
  readonly placeOf: (uuid: string) => string;
}

export class MissingPreviousKey extends Error {}

export class WrongEncryptionKey extends Error {
  constructor() {
    super(
      'The secrets in the database were encrypted with another key. Set the same ENCRYPTION_KEY on every instance, ' +
        'or restore the file encryption-key in the data directory.',
    );
  }
}

/**
 * Encrypts secrets that have to be read again, such as those of authenticator apps (AES-256-GCM). Each is bound to its place,
 * so a secret that is copied to another row can't be opened there.
 */
@Injectable()
export class SecretBox {
  private masterKey?: Buffer;
  private readonly columns: SealedColumn[] = [];
  private isClaimed = false;

  constructor(
    private readonly configuration: Configuration,
    private readonly database: Database,
  ) {}

  /** Called at start, so that a wrong key is reported before it affects anyone. */
  async verifyKey(): Promise<void> {
    const fingerprint = await this.storedFingerprint();
    if (fingerprint) this.compare(fingerprint);
  }

  /** Registers a column that stores sealed secrets, so that key rotation can find them. */
  keptIn(column: SealedColumn): void {
    this.columns.push(column);
  }

  /** @param place identifies where the secret is stored, such as `totp user_…` */
  async seal(secret: string, place: string): Promise<Buffer> {
    await this.claim();
    return this.sealWith(this.keyFor('seal'), secret, place);
  }

  private sealWith(key: Buffer, secret: string, place: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  }

  /** While the key is being changed, secrets sealed with the previous key can be opened too. */
  open(sealed: Buffer, place: string): string {
    const { previousEncryptionKey: previous } = this.configuration;
    try {
      return this.openWith(this.keyFor('seal'), sealed, place);
    } catch (error) {
      if (!previous) throw error;
      return this.openWith(derive(previous, 'seal'), sealed, place);
    }
  }

  /**
   * Re-encrypts secrets from the previous to the current key, a few rows at a time, and returns their number. It can be
   * restarted, because it skips secrets that the current key opens.
   */
  async rotate(inTransaction: (work: () => Promise<void>) => Promise<void>): Promise<number> {
    if (!this.configuration.previousEncryptionKey) {
      throw new MissingPreviousKey(
        'Set ENCRYPTION_KEY_PREVIOUS to the old key and ENCRYPTION_KEY to the new one, for every instance and this command.',
      );
    }
    let count = 0;
    for (const column of this.columns) {
      let after = '00000000-0000-0000-0000-000000000000';
      let found = BATCH;
      const renewBatch = async () => {
        const rows = await this.lockBatch(column, after);
        for (const row of rows) count += await this.renew(column, row);
        found = rows.length;
        after = rows.at(-1)?.id ?? after;
      };
      while (found === BATCH) await inTransaction(renewBatch);
    }
    await this.database.query({
      text: 'UPDATE encryption_key SET fingerprint = $1',
      values: [this.fingerprint()],
    });
    return count;
  }

  private lockBatch({ table, column }: SealedColumn, after: string): Promise<SealedRow[]> {
    return this.database.query<SealedRow>({
      text: `SELECT id, ${column} AS sealed FROM ${table} WHERE id > $1 AND ${column} IS NOT NULL
             ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`,
      values: [after],
    });
  }

  private async renew({ table, column, placeOf }: SealedColumn, { id, sealed }: SealedRow): Promise<number> {
    const place = placeOf(id);
    if (this.opensWithCurrentKey(sealed, place)) return 0;
    const renewed = this.sealWith(this.keyFor('seal'), this.open(sealed, place), place);
    await this.database.query({
      text: `UPDATE ${table} SET ${column} = $2 WHERE id = $1`,
      values: [id, renewed],
    });
    return 1;
  }

  private opensWithCurrentKey(sealed: Buffer, place: string): boolean {
    try {
      this.openWith(this.keyFor('seal'), sealed, place);
      return true;
    } catch {
      return false;
    }
  }

  private openWith(key: Buffer, sealed: Buffer, place: string): string {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    return (
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  /** A signature of the text that only this service can create, and that is valid only for this purpose. */
  sign(text: string, purpose: string): string {
    return createHmac('sha256', this.keyFor(`sign ${purpose}`))
      .update(text)
      .digest('base64url');
  }

  private keyFor(use: string): Buffer {
    const { encryptionKey, dataDirectory } = this.configuration;
    this.masterKey ??= encryptionKey ?? localEncryptionKey(dataDirectory);
    return derive(this.masterKey, use);
  }

  /** Stores the key's fingerprint before the first secret is stored. */
  private async claim(): Promise<void> {
    if (this.isClaimed) return;
    await this.database.query({
      text: 'INSERT INTO encryption_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING',
      values: [this.fingerprint()],
    });
    this.compare((await this.storedFingerprint())!);
  }

  private async storedFingerprint(): Promise<Buffer | undefined> {
    const [row] = await this.database.query<{ fingerprint: Buffer }>({
      text: 'SELECT fingerprint FROM encryption_key',
      values: [],
    });
    return row?.fingerprint;
  }

  private compare(stored: Buffer): void {
    const { previousEncryptionKey: previous } = this.configuration;
    const isPrevious = previous && stored.equals(fingerprintOf(previous));
    if (!isPrevious && !stored.equals(this.fingerprint())) throw new WrongEncryptionKey();
    this.isClaimed = true;
  }

  private fingerprint(): Buffer {
    return this.keyFor('fingerprint').subarray(0, 16);
  }
}

function derive(masterKey: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `gala ${use}`, KEY_BYTES));
}

function fingerprintOf(masterKey: Buffer): Buffer {
  return derive(masterKey, 'fingerprint').subarray(0, 16);
}
