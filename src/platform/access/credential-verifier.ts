import { Injectable } from '@nestjs/common';
import type { Identity } from '../../kernel/principal';

/** `unknown`: no such token exists. `ended`: the token was revoked or has expired. */
export type Verification = { identity: Identity } | { refused: 'unknown' | 'ended' };

/** Verifies one kind of bearer token. Modules register theirs when they start. */
export interface CredentialVerifier {
  recognises(token: string): boolean;
  verify(token: string): Promise<Verification>;
}

@Injectable()
export class CredentialVerifiers {
  private readonly verifiers: CredentialVerifier[] = [];

  register(verifier: CredentialVerifier): void {
    this.verifiers.push(verifier);
  }

  async verify(token: string): Promise<Verification> {
    const verifier = this.verifiers.find((candidate) => candidate.recognises(token));
    return verifier ? verifier.verify(token) : { refused: 'unknown' };
  }
}
