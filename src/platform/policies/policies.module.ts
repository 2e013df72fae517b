import { Global, Module } from '@nestjs/common';
import { PolicyRunner } from '../../kernel/policies';
import { ObservedPolicyRunner } from './observed-policy-runner';

@Global()
@Module({
  providers: [{ provide: PolicyRunner, useClass: ObservedPolicyRunner }],
  exports: [PolicyRunner],
})
export class PoliciesModule {}
