import type { Mode } from '../../kernel/principal';
import type { Database } from './database';

/** More would leave less to share. */
const MOST_UNDER_WAY = 2;
/** One that the database takes longer for holds nobody up. */
const PATIENCE_MS = 1000;

interface Read<Row> {
  readonly id: string;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Batch<Row> {
  readonly owner: readonly [workspaceId: string, mode: Mode];
  readonly reads: Read<Row>[];
}

/**
 * Reads single rows by their id. Those that come while others are under way wait for their end and then share a
 * statement, so that each costs the less the more there are; a lone one goes out at once. A row is never older than the
 * question for it. Within a unit of work, which has a connection of its own, nothing is shared.
 */
export class BatchedReader<Row extends { id: string }> {
  private readonly waiting = new Map<string, Batch<Row>>();
  private underWay = 0;

  /** @param text takes the workspace, the mode, and an array of ids; all are UUIDs but the mode */
  constructor(
    private readonly database: Database,
    private readonly text: string,
  ) {}

  async find(workspaceId: string, mode: Mode, id: string): Promise<Row | undefined> {
    if (this.database.isInUnitOfWork) return (await this.query([workspaceId, mode], [id]))[0];
    return new Promise((resolve, reject) => {
      const key = `${workspaceId} ${mode}`;
      const batch = this.waiting.get(key) ?? { owner: [workspaceId, mode], reads: [] };
      this.waiting.set(key, batch);
      batch.reads.push({ id, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    const [first] = this.waiting;
    if (!first || this.underWay >= MOST_UNDER_WAY) return;
    const [key, batch] = first;
    this.waiting.delete(key);
    this.underWay++;
    let isUnderWay = true;
    const end = () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      clearTimeout(timer);
      this.underWay--;
      this.next();
    };
    const timer = setTimeout(end, PATIENCE_MS).unref();
    void this.answer(batch).then(end);
  }

  private async answer({ owner, reads }: Batch<Row>): Promise<void> {
    try {
      const found = await this.query(
        owner,
        reads.map(({ id }) => id),
      );
      const rows = new Map(found.map((row) => [row.id, row]));
      for (const { id, resolve } of reads) resolve(rows.get(id));
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  private query(owner: Batch<Row>['owner'], ids: string[]): Promise<Row[]> {
    return this.database.query<Row>({ text: this.text, values: [...owner, ids] });
  }
}
