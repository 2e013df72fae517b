import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { CredentialVerifiers, type Verification } from './credential-verifier';

/** Accepts tokens from the Authorization header only. The library would also read query and body. */
class HeaderOnlyStrategy extends Strategy<
  (request: Request, token: string, done: (error: unknown) => void) => void
> {
  override authenticate({ headers, ip }: Request): void {
    super.authenticate({ headers, ip } as Request);
  }
}

/** Verifies the token. The access guard decides what follows from the result. */
@Injectable()
export class BearerStrategy extends PassportStrategy(HeaderOnlyStrategy, 'bearer') {
  constructor(private readonly verifiers: CredentialVerifiers) {
    super({ passReqToCallback: true });
  }

  validate(request: Request, token: string): Promise<Verification> {
    return this.verifiers.verify(request, token);
  }
}
