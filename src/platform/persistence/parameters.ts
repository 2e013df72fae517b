import { toUuid } from '../../kernel/ids';
import type { WorkspaceRef } from '../../kernel/principal';

/** Collects the parameters of one statement while its conditions are put together. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a parameter and returns its name, such as `$1`. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** The conditions that limit a statement to one workspace and mode. */
  inWorkspace({ workspaceId, mode }: WorkspaceRef): string[] {
    return [`workspace_id = ${this.add(toUuid(workspaceId))}`, `mode = ${this.add(mode)}`];
  }

  /** A condition on a value; none if the value is undefined. */
  when<Value>(value: Value | undefined, condition: (parameter: string) => string): string[] {
    return value === undefined ? [] : [condition(this.add(value))];
  }
}

/** The condition of the filter `archived`. */
export function isArchived(filter: 'false' | 'true' | 'all'): string[] {
  if (filter === 'all') return [];
  return [`archived_at IS ${filter === 'true' ? 'NOT NULL' : 'NULL'}`];
}
