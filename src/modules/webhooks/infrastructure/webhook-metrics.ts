import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../platform/health/metrics';
import { Database } from '../../../platform/persistence/database';
import { BACKLOG } from './delivery-backlog';

/** Metrics of deliveries. Queue depth and lag are queried when the metrics are read. */
@Injectable()
export class WebhookMetrics {
  private readonly attempts;

  constructor(metrics: Metrics, database: Database) {
    this.attempts = metrics.histogram({
      name: 'gala_webhook_attempt_duration_seconds',
      help: 'Attempts to deliver an event, by outcome.',
      labelNames: ['outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    });
    const depth = metrics.gauge({
      name: 'gala_webhook_deliveries_due',
      help: 'Deliveries that wait for an attempt now.',
      aggregator: 'max', // every process queries the same database
      async collect() {
        const [row] = await database.sql<{ due: number; lag: number }>(
          `${BACKLOG} AND (e.verified_at IS NOT NULL OR d.event_type = 'webhook.test')`,
        );
        depth.set(row!.due);
        lag.set(row!.lag);
      },
    });
    const lag = metrics.gauge({
      name: 'gala_webhook_lag_seconds',
      help: 'How long the delivery that waits longest has been due.',
      aggregator: 'max',
    });
  }

  observe(outcome: 'succeeded' | 'failed', seconds: number): void {
    this.attempts.observe({ outcome }, seconds);
  }
}
