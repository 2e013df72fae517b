import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { ValidationFailed } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Import } from '../domain/import';
import { type ImportView } from '../domain/import-view';
import type { ImportOptions } from '../domain/import-options';
import { ImportRepository } from './import-repository';
import { OptionChecks } from './option-checks';

/** Of a workspace and mode: each may have a file. */
const MAX_OPEN = 100;

@Injectable()
export class CreateImport {
  constructor(
    private readonly imports: ImportRepository,
    private readonly checks: OptionChecks,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed for options that make no sense, or too many open imports */
  async execute(ref: WorkspaceRef, actor: Actor, options: Partial<ImportOptions>): Promise<ImportView> {
    await this.checks.refuseProblems(ref, options);
    if ((await this.imports.countOpen(ref)) >= MAX_OPEN) {
      throw new ValidationFailed({
        field: 'status',
        message: `${MAX_OPEN} imports haven’t ended: start or cancel one of them first`,
      });
    }
    const item = Import.open(ref, actor, options, this.clock.now());
    await this.imports.add(item);
    return item.view();
  }
}
