import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EventTypes } from '../../../kernel/event-types';
import { Database } from '../../../platform/persistence/database';

/**
 * Stores the read scope of each event type, for the trigger that queues deliveries: it skips events that an endpoint may not
 * receive. Types of removed modules stay, since an older instance may still append such events.
 */
@Injectable()
export class StoredEventTypes implements OnApplicationBootstrap {
  constructor(
    private readonly eventTypes: EventTypes,
    private readonly database: Database,
    private readonly dataSource: DataSource,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // The export of openapi.json runs without a database.
    if (!this.dataSource.isInitialized) return;
    const types = this.eventTypes.names();
    // Sorted, so that instances that start together can't deadlock.
    await this.database.sql(
      `INSERT INTO event_types AS known (type, read_scope)
       SELECT type, read_scope FROM unnest($1::text[], $2::text[]) AS given (type, read_scope)
       WHERE NOT EXISTS (SELECT FROM event_types k WHERE (k.type, k.read_scope) = (given.type, given.read_scope))
       ORDER BY type
       ON CONFLICT (type) DO UPDATE SET read_scope = EXCLUDED.read_scope`,
      [types, types.map((type) => this.eventTypes.readScopeOf(type))],
    );
  }
}
