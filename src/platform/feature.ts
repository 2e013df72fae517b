import type { Type } from '@nestjs/common';
import type { EntitySchema, MigrationInterface } from 'typeorm';
import type { EventType } from '../kernel/event-types';

/** A part of the service: what it adds to the rest. Ours and other teams' are described alike. */
export interface Feature {
  /** Its controllers and providers. Routes get the whole pipeline. */
  readonly module: Type;
  readonly schemas?: EntitySchema[];
  /** Run after all of Gala's, whatever their timestamps: these order the migrations of all extensions among themselves. */
  readonly migrations?: (new () => MigrationInterface)[];
  /** Scopes that its routes require, each with what it allows in plain words. */
  readonly scopes?: Record<string, string>;
  /** Types of the events that it appends, `<object>.<what happened>`, each with the scope that opens it: see `readableWith`. */
  readonly events?: Record<string, EventType>;
}
