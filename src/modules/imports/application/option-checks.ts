import { Injectable } from '@nestjs/common';
import type { FieldProblem } from '../../../kernel/errors';
import type { WorkspaceRef } from '../../../kernel/principal';
import { checkLead } from '../../leads';
import { type ImportOptions, mappingProblems, refuseMapping } from '../domain/import-options';
import type { CustomFieldRules } from '../domain/row-plan';
import { LeadReferences } from './lead-references';

/** Fields that tell leads apart: one value for all of them would be wrong. */
const OF_ONE_LEAD = ['email', 'externalId'];

/** Checks options beyond their form: whether the fields that they name are there, and take the defaults. */
@Injectable()
export class OptionChecks {
  constructor(private readonly references: LeadReferences) {}

  /**
   * @param columns of the file, if it has been read
   * @throws ValidationFailed
   */
  async refuseProblems(
    ref: WorkspaceRef,
    { mapping, defaults }: Partial<ImportOptions>,
    columns?: readonly string[],
  ): Promise<void> {
    if (!defaults && !mapping) return;
    const customFields = await this.references.customFields(ref);
    const problems: FieldProblem[] = defaults ? defaultProblems(defaults, customFields) : [];
    if (mapping) {
      const keys = new Set(customFields.active.map(({ key }) => key));
      problems.push(...mappingProblems(mapping, keys, columns));
    }
    refuseMapping(...problems);
  }
}

function defaultProblems(defaults: Record<string, unknown>, customFields: CustomFieldRules): FieldProblem[] {
  const checked = checkLead(defaults, 'update');
  const problems =
    'problems' in checked ? checked.problems : customFields.problemsOnAny(checked.fields.custom ?? {});
  const wrong = OF_ONE_LEAD.filter((field) => field in defaults).map((field) => ({
    field,
    message: 'is different for each lead: leave it out',
  }));
  return [...wrong, ...problems].map(({ field, message }) => ({
    field: `defaults.${field}`,
    message,
  }));
}
