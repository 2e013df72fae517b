import { Global, Module } from '@nestjs/common';
import { FormSubmissions } from './form-submissions';

@Global()
@Module({
  providers: [FormSubmissions],
  exports: [FormSubmissions],
})
export class FormSubmissionsModule {}
