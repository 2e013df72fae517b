import type { FieldProblem } from '../../../kernel/errors';
import { checkLead, type LeadFields, type LeadWrite, normalisePhone, type RefusedWrite } from '../../leads';
import type { Import } from '../domain/import';
import { type References, RowPlan } from '../domain/row-plan';

/** A row as a lead to write, with the fields as the row gives them. */
export interface RowLead {
  readonly given: Record<string, unknown>;
  readonly write: LeadWrite | RefusedWrite;
}

/** Reads the rows of a file as leads, by the rules of the API. */
export class RowLeads {
  private readonly plan: RowPlan;
  private readonly defaults: Record<string, unknown>;

  constructor(
    private readonly item: Pick<Import, 'options' | 'mapping' | 'formatOf'>,
    columns: readonly string[],
    references: References,
  ) {
    const { options, mapping } = item;
    this.defaults = withoutNulls(options.defaults);
    const formatOf = (column: string) => item.formatOf(column);
    this.plan = new RowPlan(columns, { ...options, mapping, formatOf }, references);
  }

  read(cells: readonly string[]): RowLead {
    const { fields: given, problems } = this.plan.read(cells);
    const { matchBy } = this.item.options;
    const operation = matchBy === 'none' ? 'create' : 'upsert';
    const raw = operation === 'create' ? { ...this.defaults, ...withoutNulls(given) } : given;
    const isMisfit = problems.some(({ field }) => field === 'row');
    const checked = isMisfit ? { problems: [] } : checkLead(raw, operation);
    const all = [...problems, ...othersIn(checked, problems), ...this.matchProblem(given, problems)];
    if (all.length > 0 || 'problems' in checked) return { given, write: { problems: all } };
    return { given, write: this.writeOf(checked.fields) };
  }

  private writeOf(fields: Partial<LeadFields>): LeadWrite {
    const { matchBy, onExisting, onMultiple } = this.item.options;
    if (matchBy === 'none') return { operation: 'create', fields };
    return { operation: 'upsert', matchBy, onExisting, onMultiple, fields, ifCreated: this.defaults };
  }

  /** A row without the field that leads are found by would be another lead each time. */
  private matchProblem(given: Record<string, unknown>, known: readonly FieldProblem[]): FieldProblem[] {
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

/** Problems of fields whose cell could be read. */
function othersIn(checked: object, known: readonly FieldProblem[]): FieldProblem[] {
  const { problems = [] } = checked as { problems?: readonly FieldProblem[] };
  return problems.filter(({ field }) => !known.some((problem) => problem.field === field));
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
