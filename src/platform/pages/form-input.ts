import { type FieldProblem, ValidationFailed } from '../../kernel/errors';
import { textProblem } from '../../kernel/text';
import type { ValueCheck } from '../http/field-rules';

/** What a person typed into a form, and what is wrong with it: read field by field, and shown again with the problems. */
export class FormInput {
  readonly problems: FieldProblem[] = [];

  /** `values` is a decoded body or, for a form that is shown the first time, what its fields begin with. */
  constructor(private readonly values: Record<string, string | string[] | undefined> = {}) {}

  /** As typed, for showing again; a field that came several times counts with its last value. */
  value(field: string): string {
    return this.values[field] === undefined ? '' : (this.list(field).at(-1) ?? '');
  }

  /** Whether a `CheckboxField` is ticked. */
  isChecked(field: string): boolean {
    return this.value(field) !== '';
  }

  list(field: string): string[] {
    return [this.values[field] ?? []].flat().map(withLineFeeds);
  }

  /** A text that follows the rule; otherwise the problem is noted and the result is of no use. */
  text(field: string, check: ValueCheck): string {
    const value = this.value(field);
    const message = value === '' ? 'is required' : (textProblem(value) ?? check(value));
    if (message) this.problems.push({ field, message });
    return value;
  }

  optional(field: string, check: ValueCheck): string | null {
    return this.value(field) === '' ? null : this.text(field, check);
  }

  problem(field: string): string | undefined {
    return this.problems.find((problem) => problem.field === field)?.message;
  }

  get isFaulty(): boolean {
    return this.problems.length > 0;
  }

  /**
   * Does what the form is for, unless something is wrong with it already; what the use case finds wrong is noted.
   * Undefined when the form has to be shown again.
   */
  async submit<Result>(work: () => Promise<Result>): Promise<{ result: Result } | undefined> {
    if (this.isFaulty) return undefined;
    try {
      return { result: await work() };
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      this.problems.push(...error.details);
      return undefined;
    }
  }
}

/** Browsers send the line breaks of a text area as CRLF, whatever they were. */
function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
