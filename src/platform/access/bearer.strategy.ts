import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { CredentialVerifiers, type Verification } from './credential-verifier';

/** Takes the token from the Authorization header alone; query and body stay out of the library's sight. */
class HeaderOnlyStrategy extends Strategy<(token: string, done: (error: unknown) => void) => void> {
  override authenticate(request: Request): void {
    super.authenticate({ headers: request.headers } as Request);
  }
}

/** Finds out what the token is. Whether that is enough is the access guard's to decide. */
@Injectable()
export class BearerStrategy extends PassportStrategy(HeaderOnlyStrategy, 'bearer') {
  constructor(private readonly verifiers: CredentialVerifiers) {
    super();
  }

  validate(token: string): Promise<Verification> {
    return this.verifiers.verify(token);
  }
}
