import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EventTypes } from '../../../kernel/event-types';
import { Database } from '../../../platform/persistence/database';

/**
 * Tells the database which scope opens which event type: the trigger that queues deliveries leaves out what an endpoint may
 * not get. Types of modules that were taken out stay, for events that an older instance still appends.
 */
@Injectable()
export class StoredEventTypes implements OnApplicationBootstrap {
  constructor(
    private readonly eventTypes: EventTypes,
    private readonly database: Database,
    private readonly dataSource: DataSource,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // The export of openapi.json has no database.
    if (!this.dataSource.isInitialized) return;
    const types = this.eventTypes.names();
    // In one order: instances that start together don't wait for each other in a circle.
    await this.database.query({
      text: `INSERT INTO event_types AS known (type, read_scope)
             SELECT type, read_scope FROM unnest($1::text[], $2::text[]) AS given (type, read_scope)
             WHERE NOT EXISTS (SELECT FROM event_types k WHERE (k.type, k.read_scope) = (given.type, given.read_scope))
             ORDER BY type
             ON CONFLICT (type) DO UPDATE SET read_scope = EXCLUDED.read_scope`,
      values: [types, types.map((type) => this.eventTypes.readScopeOf(type))],
    });
  }
}
