import { ValidationFailed } from '../../../kernel/errors';
import { shareOf } from './money';

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

/** What it comes to, given the total. */
export function depositOf(
  { amount, percent, dueDate }: DepositInput,
  total: number,
  currency: string,
): Deposit {
  const fault = (field: string, message: string) =>
    new ValidationFailed({ field: `deposit.${field}`, message });
  if (!isGiven(amount) && !isGiven(percent)) {
    throw fault('amount', 'or percent is required');
  }
  if (isGiven(amount) && isGiven(percent)) {
    throw fault('percent', 'must be left out when there is an amount');
  }
  const due = amount ?? shareOf(total, percent!, currency);
  if (due > total) throw fault('amount', `must not be more than the total, ${total}`);
  return { amount: due, percent: percent ?? null, dueDate: dueDate ?? null };
}

/** What was given, to be worked out anew for another total. */
export function termsOf({ amount, percent, dueDate }: Deposit): DepositInput {
  return { ...(percent === null ? { amount } : { percent }), dueDate };
}

function isGiven(value: number | null | undefined): boolean {
  return value !== null && value !== undefined;
}
