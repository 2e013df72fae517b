import { rm } from 'node:fs/promises';
import type { EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';

export default async function stopPostgres(): Promise<void> {
  const { galaTestPostgres } = globalThis as unknown as {
    galaTestPostgres: { postgres: EmbeddedPostgres; dataDirectory: string };
  };
  await galaTestPostgres.postgres.stop();
  await rm(galaTestPostgres.dataDirectory, { recursive: true });
}
