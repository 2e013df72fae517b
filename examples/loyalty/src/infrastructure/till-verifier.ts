import { Injectable } from '@nestjs/common';
import type { CredentialVerifier, Verification } from 'gala';
import { TillTokens } from '../application/till-tokens';
import { tillId } from '../domain/till';

/** Lets the tills of a venue in, with the scopes of this module alone. */
@Injectable()
export class TillVerifier implements CredentialVerifier {
  constructor(private readonly tokens: TillTokens) {}

  recognises(token: string): boolean {
    return token.startsWith('till.');
  }

  verify(token: string): Promise<Verification> {
    const ref = this.tokens.read(token);
    if (!ref) return Promise.resolve({ refused: 'unknown' });
    const scopes = ['loyalty:read', 'loyalty:write'];
    const credential = { type: 'api_key', id: tillId(ref), name: 'Till', scopes } as const;
    return Promise.resolve({ identity: { ...ref, credential } });
  }
}
