import http from 'node:http';
import { toUuid, type WorkspaceId } from '../../src/kernel/ids';
import type { Client } from '../support/http-client';
import { sql } from '../support/sql';

/** The rows of a CSV file (RFC 4180), without a byte order mark. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const body = text.replace(/^\ufeff/, '');
  while (cell.lastIndex < body.length) {
    const at = cell.lastIndex;
    const [, quoted, plain, separator] = cell.exec(body) ?? [];
    if (separator === undefined) throw new Error(`No CSV at ${at}: ${body.slice(at, at + 50)}`);
    row.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (separator === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The lines of an export in JSON Lines, without the last. */
export function rowsOf(text: string): any[] {
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  const rows = lines.map((line) => JSON.parse(line) as { id: string });
  expect(rows.pop()).toEqual({ end: true, rows: rows.length });
  return rows;
}

/** Leads of 2.6 KB each, all created at the same time. */
export async function seedLeads(databaseUrl: string, workspaceId: WorkspaceId, count: number): Promise<void> {
  await sql(
    databaseUrl,
    `INSERT INTO leads (workspace_id, mode, id, name, email, source, stage, tags, created_at, updated_at, search_text)
     SELECT $1, 'live', gen_random_uuid(), repeat('n', 200), 'lead' || n || '@example.com', repeat('s', 100), 'new_enquiry',
       array_fill(repeat('t', 50), ARRAY[42]), date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), 'lead@example.com'
     FROM generate_series(1, $2::int) AS n`,
    [toUuid(workspaceId), count],
  );
}

/** A response whose client reads nothing until `read`, which rejects if the response is cut. */
export interface UnreadResponse {
  readonly status: number;
  read(): Promise<string>;
  leave(): void;
}

export function open({ baseUrl, key }: Client, path: string): Promise<UnreadResponse> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      `${baseUrl}${path}`,
      { agent: false, headers: { Authorization: `Bearer ${key}` } },
      (response) => {
        response.on('error', () => undefined);
        resolve({
          status: response.statusCode!,
          async read() {
            const chunks: Buffer[] = [];
            for await (const chunk of response) chunks.push(chunk as Buffer);
            return Buffer.concat(chunks).toString();
          },
          leave: () => request.destroy(),
        });
      },
    );
    request.on('error', reject);
  });
}
