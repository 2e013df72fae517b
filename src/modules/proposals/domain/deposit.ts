import { type FieldProblem, problemsOf, ValidationFailed } from '../../../kernel/errors';
import { type LineItemInput, price } from './line-item';
import { shareOf } from './money';

/** In minor units, so the same limit applies to every currency. */
const ANY_CURRENCY = 'EUR';

/** Exactly one of `amount` (minor units) and `percent` (of the total). */
export interface DepositInput {
  amount?: number | null;
  percent?: number | null;
  /** YYYY-MM-DD. */
  dueDate?: string | null;
}

export interface Deposit {
  amount: number;
  /** Null when the amount itself was given. */
  percent: number | null;
  dueDate: string | null;
}

/** Problems that don't depend on the total. */
export function depositProblems({ amount, percent }: DepositInput): FieldProblem[] {
  if (!isGiven(amount) && !isGiven(percent)) return [{ field: 'amount', message: 'or percent is required' }];
  return isGiven(amount) && isGiven(percent)
    ? [{ field: 'percent', message: 'must be left out when there is an amount' }]
    : [];
}

/** Problems of lines and deposit together; none while a line's quantity depends on the lead's guests. */
export function termsProblems(
  lineItems: readonly LineItemInput[],
  deposit: DepositInput | null = null,
): readonly FieldProblem[] {
  if (lineItems.some(({ unit, quantity }) => unit === 'per_guest' && !isGiven(quantity))) return [];
  return problemsOf(() => {
    const { total } = price(lineItems, ANY_CURRENCY, null);
    if (deposit) depositOf(deposit, total, ANY_CURRENCY);
  });
}

/** Computes the deposit from the total. */
export function depositOf(
  { amount, percent, dueDate }: DepositInput,
  total: number,
  currency: string,
): Deposit {
  const fault = ({ field, message }: FieldProblem) =>
    new ValidationFailed({ field: `deposit.${field}`, message });
  const [problem] = depositProblems({ amount, percent });
  if (problem) throw fault(problem);
  const due = amount ?? shareOf(total, percent!, currency);
  if (due > total) {
    throw fault({ field: 'amount', message: `must not be more than the total, ${total}` });
  }
  return { amount: due, percent: percent ?? null, dueDate: dueDate ?? null };
}

/** The deposit as it was given, to compute it again for another total. */
export function termsOf({ amount, percent, dueDate }: Deposit): DepositInput {
  return { ...(percent === null ? { amount } : { percent }), dueDate };
}

function isGiven(value: number | null | undefined): boolean {
  return value !== null && value !== undefined;
}
