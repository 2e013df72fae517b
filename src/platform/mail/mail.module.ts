import { Global, Module } from '@nestjs/common';
import { MailQueue } from '../../kernel/mail-queue';
import { Mailer } from '../../kernel/mailer';
import { Configuration } from '../config/configuration';
import { Logger } from '../logging/logger';
import { createMailer } from './create-mailer';
import { MailDispatcher } from './mail-dispatcher';
import { MailMetrics } from './mail-metrics';
import { OutgoingMails } from './outgoing-mails';

@Global()
@Module({
  providers: [
    { provide: Mailer, useFactory: createMailer, inject: [Configuration, Logger] },
    { provide: MailQueue, useClass: MailDispatcher },
    MailMetrics,
    OutgoingMails,
  ],
  exports: [Mailer, MailQueue],
})
export class MailModule {}
