import type { Deposit } from './deposit';
import type { LineItem } from './line-item';

/** Lines under one heading, or without one. */
export interface LineGroup {
  readonly title: string | null;
  readonly lines: readonly LineItem[];
  /** Without tax. */
  readonly subtotal: number;
}

/** The lines with one rate. */
export interface TaxRate {
  /** In percent. */
  readonly rate: number;
  readonly net: number;
  readonly tax: number;
}

export interface Payment {
  readonly kind: 'deposit' | 'balance';
  readonly amount: number;
  readonly dueDate: string | null;
}

/** In the order in which the headings first occur. */
export function groupsOf(lineItems: readonly LineItem[]): LineGroup[] {
  const byTitle = new Map<string | null, LineItem[]>();
  for (const line of lineItems) {
    const lines = byTitle.get(line.group);
    if (lines) lines.push(line);
    else byTitle.set(line.group, [line]);
  }
  return [...byTitle].map(([title, lines]) => ({
    title,
    lines,
    subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
  }));
}

/** Lowest rate first. Their taxes add up to the proposal's. */
export function taxesOf(lineItems: readonly LineItem[]): TaxRate[] {
  const byRate = new Map<number, { net: number; tax: number }>();
  for (const { taxRate, amount, taxAmount } of lineItems) {
    const { net, tax } = byRate.get(taxRate) ?? { net: 0, tax: 0 };
    byRate.set(taxRate, { net: net + amount, tax: tax + taxAmount });
  }
  return [...byRate].map(([rate, sums]) => ({ rate, ...sums })).sort((one, other) => one.rate - other.rate);
}

/** None without a deposit, such as one of 0. */
export function paymentsOf({ deposit, total }: { deposit: Deposit | null; total: number }): Payment[] {
  if (!deposit || deposit.amount === 0) return [];
  const { amount, dueDate } = deposit;
  const balance: Payment = { kind: 'balance', amount: total - amount, dueDate: null };
  return [{ kind: 'deposit', amount, dueDate }, ...(balance.amount > 0 ? [balance] : [])];
}

/** The first line of a description, and the others. */
export function headOf(description: string): { head: string; rest: string } {
  const [head = '', ...rest] = description.trim().split('\n');
  return { head: head.trim(), rest: rest.join('\n').trim() };
}
