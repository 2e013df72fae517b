import { type FieldProblem, ValidationFailed } from '../../../kernel/errors';
import { totalsOf } from './money';

export const UNITS = ['flat', 'per_guest', 'per_hour', 'per_day'] as const;
export type Unit = (typeof UNITS)[number];

export const MAX_LINE_ITEMS = 100;
/** In minor units, above and below zero. */
export const MAX_AMOUNT = 1_000_000_000_000;
export const MAX_QUANTITY = 1_000_000;

/** A line as clients write it. */
export interface LineItemInput {
  description: string;
  unit: Unit;
  /** In minor units; negative for a discount. */
  unitAmount: number;
  /** Null: the lead's guests for `per_guest`, otherwise 1. */
  quantity?: number | null;
  /** In percent; null is 0. */
  taxRate?: number | null;
  /** The heading under which pages show it. */
  group?: string | null;
}

export interface LineItem extends Required<LineItemInput> {
  quantity: number;
  taxRate: number;
  /** `quantity` times `unitAmount`, without tax. */
  amount: number;
  taxAmount: number;
}

interface Pricing {
  lineItems: LineItem[];
  subtotal: number;
  taxTotal: number;
  total: number;
}

/** The lines with their quantities and amounts, and their sums. */
export function price(inputs: readonly LineItemInput[], currency: string, guests: number | null): Pricing {
  const problems: FieldProblem[] = [];
  const charges = inputs.map((input, index) => {
    const { unit, quantity, taxRate } = input;
    if (unit === 'per_guest' && (quantity ?? guests) === null) {
      problems.push({
        field: `lineItems[${index}].quantity`,
        message: 'is required, since the lead has no number of guests',
      });
    }
    const count = quantity ?? (unit === 'per_guest' ? guests : 1) ?? 1;
    return { ...input, quantity: count, taxRate: taxRate ?? 0 };
  });
  const [first, ...more] = problems;
  if (first) throw new ValidationFailed(first, ...more);
  const totals = totalsOf(charges, currency);
  if (!totals) throw refusal('come to more than can be counted exactly; the largest amount is 2^53 - 1');
  if (totals.subtotal < 0 || totals.total < 0)
    throw refusal('come to less than zero: discounts are too high');
  const { lines, ...sums } = totals;
  return {
    lineItems: charges.map(({ description, quantity, unit, unitAmount, taxRate, group }, index) => ({
      description,
      quantity,
      unit,
      unitAmount,
      taxRate,
      group: group ?? null,
      ...lines[index]!,
    })),
    ...sums,
  };
}

function refusal(message: string): ValidationFailed {
  return new ValidationFailed({ field: 'lineItems', message });
}
