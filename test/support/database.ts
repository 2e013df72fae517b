import * as testing from '../../src/testing/database';

/** The PostgreSQL of this test run. */
const server = () => process.env.GALA_TEST_POSTGRES!;

/** The address of a database on it. */
export const databaseUrl = (name: string): string => testing.databaseUrl(server(), name);

/** A migrated, empty database of one's own. */
export const createDatabase = (): Promise<testing.TestDatabase> => testing.createDatabase(server());
