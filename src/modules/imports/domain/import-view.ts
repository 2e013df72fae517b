import type { Actor } from '../../../kernel/actor';
import type { ImportId } from '../../../kernel/ids';
import type { Delimiter, Encoding, ImportOptions } from './import-options';
import type { FileColumn, PreviewRow, ProblemGroup, Question } from './report';

export const IMPORT_STATUSES = [
  'awaiting_file',
  'checking',
  'ready',
  'importing',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Why a file can't be imported. */
export interface Failure {
  /** Of the file, from 1; null if it isn't about a line. */
  line: number | null;
  message: string;
}

export type Importer = Pick<Actor, 'type' | 'id' | 'name'>;

/** How many rows had each result. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** An import as the API and events contain it. */
export interface ImportView extends ImportOptions, Counts {
  id: ImportId;
  status: ImportStatus;
  /** Named by the client, or else as found in the file. */
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  columns: FileColumn[];
  preview: PreviewRow[];
  problems: ProblemGroup[];
  ambiguous: Question[];
  /** Of the file, and how many of them have a result. */
  rows: number | null;
  processed: number;
  willCreate: number | null;
  willUpdate: number | null;
  willFail: number | null;
  failure: Failure | null;
  createdBy: Importer;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  revision: number;
}
