import { Injectable } from '@nestjs/common';
import type { Identity } from '../../kernel/principal';

/** `unknown`: no such token exists. `ended`: the token was revoked or has expired. */
export type Verification = { identity: Identity } | { refused: 'unknown' | 'ended' };

/** Verifies one kind of bearer token. Modules register theirs when they start. */
export interface CredentialVerifier {
  recognises(token: string): boolean;
  verify(token: string): Promise<Verification>;
  /**
   * Whether web pages of an origin, such as `https://app.example.com`, may use some token of this kind. Called for every
   * request with an `Origin`, also before a token is known, so it must be cheap. Each token then names its own origins:
   * `Credential.origins`. Without this method no web page may.
   */
  admitsOrigin?(origin: string): Promise<boolean>;
}

@Injectable()
export class CredentialVerifiers {
  private readonly verifiers: CredentialVerifier[] = [];

  register(verifier: CredentialVerifier): void {
    this.verifiers.push(verifier);
  }

  async verify(token: string): Promise<Verification> {
    const verifier = this.verifierOf(token);
    return verifier ? verifier.verify(token) : { refused: 'unknown' };
  }

  /** Whether web pages of the origin may use this kind of token or, without a token, any kind. */
  async admitOrigin(origin: string, token: string | undefined): Promise<boolean> {
    const candidates = token === undefined ? this.verifiers : [this.verifierOf(token)];
    for (const verifier of candidates) {
      if (await verifier?.admitsOrigin?.(origin)) return true;
    }
    return false;
  }

  private verifierOf(token: string): CredentialVerifier | undefined {
    return this.verifiers.find((candidate) => candidate.recognises(token));
  }
}
