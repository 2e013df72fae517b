import { Injectable } from '@nestjs/common';
import { Metrics } from '../health/metrics';
import { Database } from '../persistence/database';
import { MAIL_BACKLOG, type MailBacklog } from './mail-backlog';

/** Metrics of outgoing mails. The queue is queried when the metrics are read. */
@Injectable()
export class MailMetrics {
  private readonly attempts;

  constructor(metrics: Metrics, database: Database) {
    this.attempts = metrics.counter({
      name: 'gala_mail_attempts_total',
      help: 'Attempts to send a mail, by outcome. A failed one is retried.',
      labelNames: ['outcome'],
    });
    const waiting = metrics.gauge({
      name: 'gala_mails_waiting',
      help: 'Mails that wait for their first attempt or a retry.',
      aggregator: 'max', // every process queries the same database
      async collect() {
        const [backlog] = await database.sql<MailBacklog>(MAIL_BACKLOG);
        waiting.set(backlog!.waiting);
        oldest.set(backlog!.oldestSeconds);
        failed.set(backlog!.failed);
      },
    });
    const oldest = metrics.gauge({
      name: 'gala_mail_oldest_seconds',
      help: 'How long the mail that waits longest has been waiting.',
      aggregator: 'max',
    });
    const failed = metrics.gauge({
      name: 'gala_mails_failed',
      help: 'Mails that were refused or have expired in the last seven days.',
      aggregator: 'max',
    });
  }

  count(outcome: 'sent' | 'failed' | 'refused' | 'expired' | 'dropped'): void {
    this.attempts.inc({ outcome });
  }
}
