import { Global, Module } from '@nestjs/common';
import { Mailer } from '../../kernel/mailer';
import { Configuration } from '../config/configuration';
import { Logger } from '../logging/logger';
import { createMailer } from './create-mailer';

@Global()
@Module({
  providers: [{ provide: Mailer, useFactory: createMailer, inject: [Configuration, Logger] }],
  exports: [Mailer],
})
export class MailModule {}
