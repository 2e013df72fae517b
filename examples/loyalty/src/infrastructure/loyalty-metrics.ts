import { Injectable } from '@nestjs/common';
import { Database, Metrics } from 'gala';

/** What the programme would cost if everybody came today. */
@Injectable()
export class LoyaltyMetrics {
  constructor(metrics: Metrics, database: Database) {
    const outstanding = metrics.gauge({
      name: 'gala_loyalty_points_outstanding',
      help: 'Points that clients have yet to redeem.',
      labelNames: ['mode'],
      async collect() {
        const rows = await database.sql<{ mode: string; points: number }>(
          'SELECT mode, sum(points)::float8 AS points FROM loyalty_accounts GROUP BY mode',
        );
        for (const { mode, points } of rows) outstanding.set({ mode }, points);
      },
    });
  }
}
