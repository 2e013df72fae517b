import { type Id, toUuid } from '../../src/kernel/ids';
import { sql } from '../support/sql';

const YEAR = new Date().getUTCFullYear();
/** As long as a period may be, around now. */
export const PERIOD = `from=${YEAR}-01-01&to=${YEAR + 1}-12-31`;

export const uuidOf = (id: string) => toUuid(id as Id<'lead'>);

export interface StoredStay {
  number: number;
  stage: string;
  entered_at: Date | null;
  left_at: Date;
  to_stage: string;
  is_last: boolean;
}

/** The ended stays of a lead, in their order. */
export function storedStays(databaseUrl: string, leadId: string): Promise<StoredStay[]> {
  return sql<StoredStay>(
    databaseUrl,
    'SELECT number, stage, entered_at, left_at, to_stage, is_last FROM lead_stage_spells WHERE lead_id = $1 ORDER BY number',
    [uuidOf(leadId)],
  );
}

export async function storedJourney(databaseUrl: string, leadId: string): Promise<Record<string, unknown>> {
  const [journey] = await sql(databaseUrl, 'SELECT * FROM lead_journeys WHERE lead_id = $1', [
    uuidOf(leadId),
  ]);
  return journey!;
}
