import type { FieldProblem } from '../../../kernel/errors';
import { checkLead, type LeadFields, type LeadWrite, normalisePhone, type RefusedWrite } from '../../leads';
import type { Import } from '../domain/import';
import { type CustomFieldRules, type References, RowPlan } from '../domain/row-plan';

const NO_ADDRESS: FieldProblem = {
  field: 'email',
  message: 'is required: no lead matches, and a new lead needs an address',
};

type Fields = Record<string, unknown>;

/** A row as a lead to write, with the fields as the row gives them. */
export interface RowLead {
  readonly given: Fields;
  readonly write: LeadWrite | RefusedWrite;
  /** Why no lead can be created from it, should none match. */
  readonly missing: readonly FieldProblem[];
}

/** Reads the rows of a file as leads, by the rules of the API. */
export class RowLeads {
  private readonly plan: RowPlan;
  private readonly defaults: Fields;
  private readonly customFields: CustomFieldRules;

  constructor(
    private readonly item: Pick<Import, 'options' | 'mapping' | 'formatOf'>,
    columns: readonly string[],
    references: References,
  ) {
    const { options, mapping } = item;
    this.defaults = withoutNulls(options.defaults);
    this.customFields = references.customFields;
    const formatOf = (column: string) => item.formatOf(column);
    this.plan = new RowPlan(columns, { ...options, mapping, formatOf }, references);
  }

  read(cells: readonly string[]): RowLead {
    const { fields: given, problems } = this.plan.read(cells);
    const { matchBy } = this.item.options;
    const operation = matchBy === 'none' ? 'create' : 'upsert';
    if (problems.some(({ field }) => field === 'row')) return refused(given, problems);
    const asNew = this.asNew(given);
    const raw = operation === 'create' ? asNew : given;
    const checked = checkLead(raw, operation);
    const others = [
      ...('problems' in checked ? checked.problems : []),
      ...this.customProblems(raw, operation === 'create'),
    ].filter(({ field }) => !problems.some((known) => known.field === field));
    const all = [...problems, ...others, ...this.matchProblem(given, problems)];
    if (all.length > 0 || 'problems' in checked) return refused(given, all);
    const missing = [...(asNew.email ? [] : [NO_ADDRESS]), ...this.customProblems(asNew, true)];
    return { given, write: this.writeOf(checked.fields), missing };
  }

  /** The fields of the lead, if the row creates one. */
  private asNew(given: Fields): Fields {
    const fields = { ...this.defaults, ...withoutNulls(given) };
    if (!this.defaults.custom || !given.custom) return fields;
    const custom = { ...this.defaults.custom, ...withoutNulls(given.custom as Fields) };
    return { ...fields, custom };
  }

  private customProblems({ custom = {} }: Fields, isNew: boolean): FieldProblem[] {
    const values = custom as Fields;
    return isNew ? this.customFields.problemsOfNew(values) : this.customFields.problemsOnAny(values);
  }

  private writeOf(fields: Partial<LeadFields>): LeadWrite {
    const { matchBy, onExisting, onMultiple } = this.item.options;
    if (matchBy === 'none') return { operation: 'create', fields };
    return { operation: 'upsert', matchBy, onExisting, onMultiple, fields, ifCreated: this.defaults };
  }

  /** A row without the field that leads are found by would be another lead each time. */
  private matchProblem(given: Fields, known: readonly FieldProblem[]): FieldProblem[] {
    const { matchBy } = this.item.options;
    const isThere = matchBy === 'none' || (given[matchBy] ?? null) !== null;
    if (isThere || known.some(({ field }) => field === matchBy || field === 'row')) return [];
    return [{ field: matchBy, message: 'is needed to find the lead' }];
  }
}

/** The value by which an upsert finds its lead, as leads store it. */
export function matchValueOf({ matchBy = 'none', fields }: LeadWrite): string | undefined {
  const value = matchBy === 'none' ? undefined : (fields[matchBy] ?? undefined);
  return value !== undefined && matchBy === 'phone' ? normalisePhone(value) : value;
}

function refused(given: Fields, problems: readonly FieldProblem[]): RowLead {
  return { given, write: { problems }, missing: [] };
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
