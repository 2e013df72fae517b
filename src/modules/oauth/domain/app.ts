import { ValidationFailed } from '../../../kernel/errors';
import { type AppId, newId } from '../../../kernel/ids';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token';
import { originProblem } from './origin';
import { redirectUriProblem } from './redirect-uri';

const MAX_ORIGINS = 20;

export interface AppSettings {
  name: string;
  redirectUris: readonly string[];
  /** The scopes that it may request. */
  scopes: readonly string[];
  /** The origins whose web pages may call the API with its tokens (CORS), such as `https://app.example.com`. */
  allowedOrigins?: readonly string[];
}

/** A third-party program that the operator has registered and customers install in their workspaces. */
export class App implements AppSettings {
  readonly id!: AppId;
  name!: string;
  redirectUris!: readonly string[];
  scopes!: readonly string[];
  allowedOrigins!: readonly string[];
  /** Null for a public client, which can't keep a secret and authenticates by PKCE alone (RFC 6749 section 2.1). */
  secretHash!: Buffer | null;
  readonly createdAt!: Date;

  private constructor(fields: object) {
    Object.assign(this, fields);
  }

  /** Returns the secret of a confidential client, which is stored as a hash only. */
  static register(
    settings: AppSettings,
    { isPublic }: { isPublic: boolean },
    now: Date,
  ): { app: App; secret: string | null } {
    const fields = { id: newId('app'), createdAt: now, secretHash: null };
    const app = new App({ ...fields, ...checked(settings) });
    return { app, secret: isPublic ? null : app.rotateSecret() };
  }

  get isPublic(): boolean {
    return this.secretHash === null;
  }

  /** The previous secret stops working. */
  rotateSecret(): string {
    const secret = `gala_cs_${newSecretToken()}`;
    this.secretHash = hashSecretToken(secret);
    return secret;
  }

  change(settings: Partial<AppSettings>): void {
    const { name, redirectUris, scopes, allowedOrigins } = this;
    Object.assign(this, checked({ name, redirectUris, scopes, allowedOrigins, ...settings }));
  }

  /** The `scopes` that the operator hasn't removed from the app since they were granted. */
  allowed(scopes: readonly string[]): string[] {
    return scopes.filter((scope) => this.scopes.includes(scope));
  }

  /** Whether the secret is the app's. A public client has none and must send none. */
  isAuthenticatedBy(secret: string | undefined): boolean {
    if (!this.secretHash) return secret === undefined;
    return secret !== undefined && hashSecretToken(secret).equals(this.secretHash);
  }
}

function checked({ name, redirectUris, scopes, allowedOrigins = [] }: AppSettings): Required<AppSettings> {
  if (redirectUris.length === 0) {
    throw new ValidationFailed({ field: 'redirectUris', message: 'must hold at least one address' });
  }
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri);
    if (problem)
      throw new ValidationFailed({ field: 'redirectUris', message: `${JSON.stringify(uri)} ${problem}` });
  }
  if (scopes.length === 0) {
    throw new ValidationFailed({ field: 'scopes', message: 'must hold at least one scope' });
  }
  refuseBadOrigins(allowedOrigins);
  return {
    name,
    redirectUris: [...new Set(redirectUris)],
    scopes: [...new Set(scopes)],
    allowedOrigins: [...new Set(allowedOrigins)],
  };
}

function refuseBadOrigins(origins: readonly string[]): void {
  const refusal = (message: string) => new ValidationFailed({ field: 'allowedOrigins', message });
  if (origins.length > MAX_ORIGINS) throw refusal(`must hold at most ${MAX_ORIGINS} origins`);
  for (const origin of origins) {
    const problem = originProblem(origin);
    if (problem) throw refusal(`${JSON.stringify(origin)} ${problem}`);
  }
}
