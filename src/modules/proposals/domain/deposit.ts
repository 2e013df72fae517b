import { type FieldProblem, problemsOf, ValidationFailed } from '../../../kernel/errors';
import { type LineItemInput, price } from './line-item';
import { shareOf } from './money';

/** Amounts are integers in minor units, and so come to the same in every currency. */
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

/** What is wrong with it whatever the total is. */
export function depositProblems({ amount, percent }: DepositInput): FieldProblem[] {
  if (!isGiven(amount) && !isGiven(percent)) return [{ field: 'amount', message: 'or percent is required' }];
  return isGiven(amount) && isGiven(percent)
    ? [{ field: 'percent', message: 'must be left out when there is an amount' }]
    : [];
}

/** What is wrong with lines and deposit together; nothing while it is the lead's guests that lines are counted by. */
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

/** What it comes to, given the total. */
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

/** What was given, to be worked out anew for another total. */
export function termsOf({ amount, percent, dueDate }: Deposit): DepositInput {
  return { ...(percent === null ? { amount } : { percent }), dueDate };
}

function isGiven(value: number | null | undefined): boolean {
  return value !== null && value !== undefined;
}
