import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BadRequest, RateLimited, ValidationFailed } from '../../kernel/errors';
import type { WorkspaceRef } from '../../kernel/principal';
import { RequestTurns } from '../http/request-turns';
import { exportParts, type ExportText, exportText } from './export-format';
import { columnsProblem, type ExportParameters, fieldsOf } from './export-query';
import { ExportsUnderWay } from './exports-under-way';

/** The export of a list. */
interface Export {
  /** As it was added; the file is named after it. */
  readonly list: string;
  readonly ref: WorkspaceRef;
  /** The id of the credential or person who makes the export. */
  readonly holder: string;
  readonly asked: ExportParameters;
  /** All items, such as `wholeList` reads them. */
  readonly pages: AsyncGenerator<readonly object[], void>;
}

/** Columns that each workspace has of its own: parts of one field of the items, named `<field>.<key>`. */
export interface OwnColumns {
  readonly field: string;
  /** The keys in their order. */
  readonly keysIn: (ref: WorkspaceRef) => Promise<readonly string[]>;
}

interface List {
  readonly fields: readonly string[];
  readonly own?: OwnColumns;
}

/**
 * Sends lists as files. A part of the list is read in a turn of its own and written when the client has taken the part
 * before, so an export holds neither a connection to the database nor others' turns while its client reads.
 */
@Injectable()
export class Exports {
  private readonly lists = new Map<string, List>();

  constructor(
    private readonly underWay: ExportsUnderWay,
    private readonly turns: RequestTurns,
  ) {}

  /** Adds a list whose columns are the fields of `item`, a class of responses. In CSV, `own` columns replace their field. */
  add(list: string, item: Type<object>, own?: OwnColumns): void {
    this.lists.set(list, { fields: fieldsOf(item), own });
  }

  /** @throws ValidationFailed for an unknown column */
  async text(
    list: string,
    ref: WorkspaceRef,
    { format = 'csv', columns }: ExportParameters,
  ): Promise<ExportText> {
    const known = this.lists.get(list);
    if (!known) throw new Error(`There is no export of ${list}: add it first.`);
    const { fields, own } = known;
    const ownColumns = own ? (await own.keysIn(ref)).map((key) => `${own.field}.${key}`) : [];
    const asked = columns?.split(',') ?? fields;
    const all = new Set([...fields, ...ownColumns]);
    if (!asked.every((name) => all.has(name))) throw unknownColumns(columnsProblem(fields, own?.field));
    const isWhole = columns === undefined;
    const parts =
      format === 'csv' && own ? asked.flatMap((name) => (name === own.field ? ownColumns : name)) : asked;
    if (parts.length === 0) throw unknownColumns(`can’t be ${own!.field} alone: there are no such fields`);
    return exportText(format, [...new Set(parts)], isWhole);
  }

  /**
   * Resolves when all is handed over. Rejects before anything is sent, or later: the connection then has to be cut.
   *
   * @throws RateLimited while the holder's previous export runs
   */
  async send(response: Response, { list, ref, holder, asked, pages }: Export): Promise<void> {
    const text = await this.text(list, ref, asked);
    const lease = await this.underWay.begin(ref, holder, () => response.destroy());
    let last: string;
    try {
      last = await this.write(response, text, pages, `${list}.${asked.format ?? 'csv'}`);
    } finally {
      await lease.end();
    }
    // Only now: a client that has read all may ask for the next export at once.
    response.end(last);
  }

  /** Writes all but the last part, which it returns. */
  private async write(
    response: Response,
    text: ExportText,
    pages: AsyncGenerator<readonly object[], void>,
    fileName: string,
  ): Promise<string> {
    const parts = exportParts(text, pages);
    // An error that shows itself here is answered like any other.
    let part = await parts.next();
    response.set({
      'Content-Type': text.mediaType,
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    if (response.req.method === 'HEAD') return '';
    for (;;) {
      response.leaveTurn?.();
      if (part.done) return part.value;
      await handOver(response, Buffer.from(part.value));
      await this.nextTurn(response.req);
      part = await parts.next();
    }
  }

  /** Waits for as long as it takes: what was sent so far would be in vain. */
  private async nextTurn(request: Request): Promise<void> {
    for (;;) {
      try {
        return await this.turns.enterAgain(request);
      } catch (error) {
        if (!(error instanceof RateLimited)) throw error;
        await sleep(error.retryAfterSeconds * 1000);
      }
    }
  }
}

function unknownColumns(message: string): ValidationFailed {
  return new ValidationFailed({ field: 'columns', message });
}

/** Resolves when the client has taken the part; rejects when it is gone. */
async function handOver(response: Response, part: Buffer): Promise<void> {
  if (!response.destroyed && (part.length === 0 || response.write(part))) return;
  if (!response.destroyed) {
    response.answers?.follow(response, 'drain');
    await drained(response);
  }
  if (response.destroyed) throw new BadRequest('The client went away before the end of its export.');
}

function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
