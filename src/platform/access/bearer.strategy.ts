import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { CredentialVerifiers, type Verification } from './credential-verifier';

/** Accepts tokens from the Authorization header only. The library would also read query and body. */
class HeaderOnlyStrategy extends Strategy<(token: string, done: (error: unknown) => void) => void> {
  override authenticate(request: Request): void {
    super.authenticate({ headers: request.headers } as Request);
  }
}

/** Verifies the token. The access guard decides what follows from the result. */
@Injectable()
export class BearerStrategy extends PassportStrategy(HeaderOnlyStrategy, 'bearer') {
  constructor(private readonly verifiers: CredentialVerifiers) {
    super();
  }

  validate(token: string): Promise<Verification> {
    return this.verifiers.verify(token);
  }
}
