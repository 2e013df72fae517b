import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceId } from '../../src/kernel/ids';
import type { Mode } from '../../src/kernel/principal';
import { RequestLogWriter } from '../../src/modules/request-log/infrastructure/request-log-writer';
import type { Answer } from '../support/http-client';
import type { PageClient } from '../support/page-client';
import { sql } from '../support/sql';
import type { TestGala } from '../support/start-gala';

interface Stored {
  workspace_id: string;
  mode: Mode;
  failed: boolean;
  occurred_at: Date;
  id: string;
  request_id: string;
  method: string;
  path: string;
  status: number | null;
  duration_ms: number;
  credential_id: string;
  credential_name: string;
}

/** Every line that was kept, once there is one of that request: they are pushed when the answer is out. */
export async function storedAfter(gala: TestGala, requestId: string): Promise<Stored[]> {
  for (;;) {
    await gala.app.get(RequestLogWriter, { strict: false }).flush();
    const stored = await sql<Stored>(gala.databaseUrl, 'SELECT * FROM request_log ORDER BY id');
    if (stored.some((line) => line.request_id === requestId)) return stored;
    await sleep(10);
  }
}

export const idOf = ({ headers }: Answer) => headers['x-request-id'] as string;

/** What the page shows: the cells of each row, and where older ones are. */
export async function shown(
  browser: PageClient,
  path: string,
): Promise<{ rows: string[][]; older?: string; text: string }> {
  const { status, text } = await browser.get(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  const body = /<tbody[^>]*>(.*?)<\/tbody>/s.exec(text)?.[1] ?? '';
  const rows = [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) =>
      unescapeHtml(cell!.replace(/<br\/?>/g, ' ').replace(/<[^>]+>/g, '')).trim(),
    ),
  );
  const older = /<a[^>]*href="([^"]+)"[^>]*rel="next"/.exec(text)?.[1];
  return { rows, text, ...(older && { older: unescapeHtml(older) }) };
}

export const logPath = (workspace: WorkspaceId, mode: Mode = 'live') =>
  `/settings/${workspace}/${mode}/request-log`;

function unescapeHtml(html: string): string {
  return html.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&quot;', '"');
}
