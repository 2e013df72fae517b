import type { Request } from 'express';
import { addDays, daysBetween } from '../../../kernel/time-zone';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { queryText } from '../../../platform/pages/query-text';
import type { Bucket, Interval } from '../domain/buckets';

/** Inclusive days. */
export type Days = Bucket;

const daysUntil = (today: string, count: number): Days => ({ from: addDays(today, 1 - count), to: today });

/** The periods on offer. The second is that of a page that is opened without one. */
export function periodsOn(today: string): (Days & { label: string })[] {
  return [
    { label: 'Last 7 days', ...daysUntil(today, 7) },
    { label: 'Last 30 days', ...daysUntil(today, 30) },
    { label: 'Last 90 days', ...daysUntil(today, 90) },
    { label: 'This year', from: `${today.slice(0, 4)}-01-01`, to: today },
    { label: 'Last 365 days', ...daysUntil(today, 365) },
  ];
}

/** The period of a page's address, as the fields of its form. Faulty days are noted as problems. */
export function askedPeriod(request: Request, today: string): FormInput {
  const [from, to] = [queryText(request, 'from'), queryText(request, 'to')];
  const standard = periodsOn(today)[1]!;
  const form = new FormInput(
    from === '' && to === '' ? { from: standard.from, to: standard.to } : { from, to },
  );
  form.text('from', fieldRules.plannableDate);
  form.text('to', fieldRules.plannableDate);
  return form;
}

export function daysOf(form: FormInput): Days {
  return { from: form.value('from'), to: form.value('to') };
}

/** The interval that gives a period 7 to 31 bars, if its length allows that. */
export function intervalFor({ from, to }: Days): Interval {
  const days = daysBetween(from, to) + 1;
  if (days <= 31) return 'day';
  return days <= 190 ? 'week' : 'month';
}
