import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../platform/health/metrics';
import { Database } from '../../../platform/persistence/database';

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
        const [row] = await database.query<{ due: number; lag: number }>({
          text: `SELECT count(*)::int AS due,
                        coalesce(extract(epoch FROM clock_timestamp() - min(d.next_attempt_at)), 0)::float8 AS lag
                 FROM webhook_deliveries d
                 JOIN webhook_endpoints e ON (e.workspace_id, e.mode, e.id) = (d.workspace_id, d.mode, d.endpoint_id)
                 WHERE d.status = 'pending' AND e.status = 'enabled' AND d.next_attempt_at <= clock_timestamp()
                   AND (e.verified_at IS NOT NULL OR d.event_type = 'webhook.test')`,
          values: [],
        });
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
