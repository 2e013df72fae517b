import { Global, Module } from '@nestjs/common';
import { BearerStrategy } from './bearer.strategy';
import { CredentialVerifiers } from './credential-verifier';

@Global()
@Module({
  providers: [BearerStrategy, CredentialVerifiers],
  exports: [BearerStrategy, CredentialVerifiers],
})
export class AccessModule {}
