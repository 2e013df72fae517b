import type { components } from './schema.js';

export type Import = components['schemas']['Import'];
export type ImportOptions = components['schemas']['CreateImportBody'];

export interface ImportCsvOptions extends ImportOptions {
  /** Called whenever more is known: while the file is checked, and while its rows are imported. */
  onProgress?: (state: Import) => void;
  /** Checks the file and imports nothing; the import stays `ready`. */
  checkOnly?: boolean;
  /** Ends the wait. The import itself goes on. */
  signal?: AbortSignal;
}

/** The import can’t start: its file can’t be read, or has questions that the options must answer. Or it can’t go on. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  constructor(
    message: string,
    readonly state: Import,
  ) {
    super(message);
  }
}

interface Calls {
  create(options: ImportOptions): Promise<Import>;
  upload(id: string, file: Blob): Promise<Import>;
  start(id: string): Promise<Import>;
  get(id: string): Promise<Import>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Takes a file through all states of an import, and waits in between. */
export async function importCsv(
  calls: Calls,
  file: Blob | string | Uint8Array<ArrayBuffer>,
  { onProgress = () => undefined, checkOnly, signal, ...options }: ImportCsvOptions,
): Promise<Import> {
  const { id } = await calls.create(options);
  await calls.upload(id, file instanceof Blob ? file : new Blob([file]));
  const wait = (status: Import['status']) => whileIn(status, () => calls.get(id), onProgress, signal);
  const checked = await wait('checking');
  if (checked.status !== 'ready') throw new ImportError(reasonOf(checked), checked);
  if (checkOnly) return checked;
  const [question] = checked.ambiguous;
  if (question) throw new ImportError(`${question.field} ${question.message}`, checked);
  await calls.start(id);
  const done = await wait('importing');
  if (done.status !== 'completed') throw new ImportError(reasonOf(done), done);
  return done;
}

async function whileIn(
  status: Import['status'],
  get: () => Promise<Import>,
  onProgress: (state: Import) => void,
  signal?: AbortSignal,
): Promise<Import> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, 1.5 * pause)) {
    signal?.throwIfAborted();
    const state = await get();
    onProgress(state);
    if (state.status !== status) return state;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function reasonOf({ status, failure }: Import): string {
  if (!failure) return `The import is ${status}.`;
  return failure.line === null ? failure.message : `Line ${failure.line}: ${failure.message}`;
}
