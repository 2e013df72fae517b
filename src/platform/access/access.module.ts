import { Global, Module } from '@nestjs/common';
import { BearerStrategy } from './bearer.strategy';
import { CredentialVerifiers } from './credential-verifier';
import { CrossOrigin } from './cross-origin';

@Global()
@Module({
  providers: [BearerStrategy, CredentialVerifiers, CrossOrigin],
  exports: [BearerStrategy, CredentialVerifiers],
})
export class AccessModule {}
