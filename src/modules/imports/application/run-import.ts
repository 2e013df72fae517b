import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import type { ImportId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { ImportView } from '../domain/import-view';
import type { ImportOptions } from '../domain/import-options';
import { ChangeImport } from './change-import';
import { CheckFile } from './check-file';
import { CheckQueue } from './check-queue';
import { CreateImport } from './create-import';
import { ImportLeads } from './import-leads';
import { ImportQueries } from './import-queries';
import { ReceiveFile } from './receive-file';

const POLL_MS = 200;

/** Called from time to time while an import is checked or runs. */
type OnProgress = (state: ImportView) => void;

/**
 * Takes an import from its file to its end, for the command line. It works on what is due itself, whether or not a service
 * that does so is running: they share the work.
 */
@Injectable()
export class RunImport {
  constructor(
    private readonly createImport: CreateImport,
    private readonly changeImport: ChangeImport,
    private readonly receiveFile: ReceiveFile,
    private readonly queries: ImportQueries,
    private readonly queue: CheckQueue,
    private readonly checkFile: CheckFile,
    private readonly importLeads: ImportLeads,
  ) {}

  /** Resolves when the file has been checked. */
  async check(
    ref: WorkspaceRef,
    actor: Actor,
    options: Partial<ImportOptions>,
    file: AsyncIterable<Buffer>,
  ): Promise<ImportView> {
    const { id } = await this.createImport.execute(ref, actor, options);
    try {
      const received = await this.receiveFile.receive(ref, file);
      await this.changeImport.takeFile(ref, id, received.id);
    } catch (error) {
      await this.changeImport.cancel(ref, id);
      throw error;
    }
    return this.follow(ref, id, 'checking', async () => {
      const claims = await this.queue.claim(1, []);
      for (const claim of claims) await this.checkFile.execute(claim);
      return claims.length;
    });
  }

  /** Resolves when every row has a result, or the import can't go on. */
  async start(ref: WorkspaceRef, id: ImportId, onProgress: OnProgress): Promise<ImportView> {
    await this.changeImport.start(ref, id);
    return this.follow(ref, id, 'importing', () => this.importLeads.execute(), onProgress);
  }

  cancel(ref: WorkspaceRef, id: ImportId): Promise<ImportView> {
    return this.changeImport.cancel(ref, id);
  }

  private async follow(
    ref: WorkspaceRef,
    id: ImportId,
    status: ImportView['status'],
    step: () => Promise<number>,
    onProgress: OnProgress = () => undefined,
  ): Promise<ImportView> {
    for (;;) {
      const state = await this.queries.get(ref, id);
      if (state.status !== status) return state;
      onProgress(state);
      if ((await attempted(step)) === 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/** A step may be that of another import, and one that failed is repeated: until it is given up, which the state tells. */
async function attempted(step: () => Promise<number>): Promise<number> {
  try {
    return await step();
  } catch {
    return 0;
  }
}
