import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Identity } from '../../kernel/principal';
import { SecretLookups } from '../rate-limiting/secret-lookups';

/** `unknown`: no such token exists. `ended`: the token was revoked or has expired. */
export type Verification = { identity: Identity } | { refused: 'unknown' | 'ended' };

/** Verifies one kind of bearer token. Modules register theirs when they start. */
export interface CredentialVerifier {
  /** From the token's form alone. */
  recognises(token: string): boolean;
  /** An address that has sent too many unknown tokens of this form is refused before. */
  verify(token: string): Promise<Verification>;
  /** What it knows of the token without reading anything; undefined if `verify` has to look it up. */
  recall?(token: string): Promise<Verification> | undefined;
  /**
   * Whether web pages of an origin, such as `https://app.example.com`, may use some token of this kind. Called for every
   * request with an `Origin`, also before a token is known, so it must be cheap. Each token then names its own origins:
   * `Credential.origins`. Without this method no web page may.
   */
  admitsOrigin?(origin: string): Promise<boolean>;
}

async function knownBy(verifier: CredentialVerifier, token: string): Promise<Verification | undefined> {
  const verification = await verifier.verify(token);
  return 'refused' in verification && verification.refused === 'unknown' ? undefined : verification;
}

@Injectable()
export class CredentialVerifiers {
  private readonly verifiers: CredentialVerifier[] = [];

  constructor(private readonly lookups: SecretLookups) {}

  register(verifier: CredentialVerifier): void {
    this.verifiers.push(verifier);
  }

  async verify(request: Request, token: string): Promise<Verification> {
    const verifier = this.verifierOf(token);
    if (!verifier) return { refused: 'unknown' };
    return (
      (await verifier.recall?.(token)) ??
      (await this.lookups.find(request, token, () => knownBy(verifier, token))) ?? { refused: 'unknown' }
    );
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
