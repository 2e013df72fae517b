import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { Database } from '../persistence/database';
import { KEY_BYTES, localEncryptionKey } from './encryption-key';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class WrongEncryptionKey extends Error {
  constructor() {
    super(
      'The secrets in the database were encrypted with another key: give every instance the same ENCRYPTION_KEY, ' +
        'or restore the file encryption-key of the data directory.',
    );
  }
}

/**
 * Keeps secrets that have to be read again, such as those of authenticator apps, encrypted in the database (AES-256-GCM),
 * each bound to its place: one that is copied to another row can't be opened there.
 */
@Injectable()
export class SecretBox {
  private masterKey?: Buffer;
  private isClaimed = false;

  constructor(
    private readonly configuration: Configuration,
    private readonly database: Database,
  ) {}

  /** For the start: a wrong key is better told there than by the first person whose code is refused. */
  async verifyKey(): Promise<void> {
    const fingerprint = await this.storedFingerprint();
    if (fingerprint) this.compare(fingerprint);
  }

  /** `place` says where the secret is kept, such as `totp user_…`. */
  async seal(secret: string, place: string): Promise<Buffer> {
    await this.claim();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyFor('seal'), nonce).setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  }

  open(sealed: Buffer, place: string): string {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.keyFor('seal'), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    return (
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  /** A mark that only this service can have made of that text, for that purpose. */
  sign(text: string, purpose: string): string {
    return createHmac('sha256', this.keyFor(`sign ${purpose}`))
      .update(text)
      .digest('base64url');
  }

  private keyFor(use: string): Buffer {
    const { encryptionKey, dataDirectory } = this.configuration;
    this.masterKey ??= encryptionKey ?? localEncryptionKey(dataDirectory);
    return Buffer.from(hkdfSync('sha256', this.masterKey, '', `gala ${use}`, KEY_BYTES));
  }

  /** Before the first secret is stored, the database is told which key it belongs to. */
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
    if (!stored.equals(this.fingerprint())) throw new WrongEncryptionKey();
    this.isClaimed = true;
  }

  private fingerprint(): Buffer {
    return this.keyFor('fingerprint').subarray(0, 16);
  }
}
