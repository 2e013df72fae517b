import type { MigrationInterface } from 'typeorm';
import { CompositionError } from '../composition-error';

export type MigrationType = new () => MigrationInterface;

/** The name under which TypeORM records a migration. */
export function migrationName(migration: MigrationType): string {
  return new migration().name ?? migration.name;
}

/**
 * Of two migrations with the same name only one would run, since the database knows by their names which ones ran.
 * @throws CompositionError if there are two, of one owner or of two
 */
export function refuseSameNames(
  lists: readonly { owner: string; migrations: readonly MigrationType[] }[],
): void {
  const owners = new Map<string, string>();
  for (const { owner, migrations } of lists) {
    for (const name of migrations.map(migrationName)) {
      const other = owners.get(name);
      if (other !== undefined) {
        throw new CompositionError(
          `There are two migrations with the name ${name}: one of ${other} and one of ${owner}. Rename the class of one that has not run anywhere yet.`,
        );
      }
      owners.set(name, owner);
    }
  }
}
