import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import type { DepositInput } from '../domain/deposit';
import {
  type LineItemInput,
  MAX_AMOUNT,
  MAX_LINE_ITEMS,
  MAX_QUANTITY,
  type Unit,
  UNITS,
} from '../domain/line-item';
import { isCurrencyCode } from '../domain/money';
import { MAX_GROUP } from '../domain/presentation';
import type { ProposalFields } from '../domain/proposal';
import { amountText, parseAmount, parseDecimal } from './amount-input';
import { filledSections, hasPresentation, presentationValues, readPresentation } from './draft-presentation';

const FIELDS = [
  ...['title', 'validUntil', 'currency', 'message', 'terms', 'notes'],
  ...['deposit', 'depositValue', 'depositDueDate'],
  ...['coverImage', 'contactName', 'contactPhone', 'contactEmail', 'contactPhoto'],
  ...['revision', 'lead'],
];
const LINE_FIELDS = ['description', 'quantity', 'unit', 'unitAmount', 'taxRate', 'group'] as const;
type LineField = (typeof LINE_FIELDS)[number];

/** The name of a field of a line, as the use cases name it in problems. */
export function lineField(line: number, field: LineField): string {
  return `lineItems[${line}].${field}`;
}

/** What the form begins with. */
export function formOf(fields: ProposalFields, revision: number): FormInput {
  const { title, currency, validUntil, notes, deposit, lineItems } = fields;
  const lines = lineItems.map(({ description, quantity, unit, unitAmount, taxRate, group }) => ({
    ...{ description, unit },
    quantity: String(quantity ?? ''),
    unitAmount: amountText(unitAmount, currency),
    taxRate: String(taxRate ?? ''),
    group: group ?? '',
  }));
  const isPercent = typeof deposit?.percent === 'number';
  return new FormInput({
    ...{ title, currency, validUntil: validUntil ?? '', notes: notes ?? '', revision: String(revision) },
    deposit: deposit ? (isPercent ? 'percent' : 'amount') : '',
    depositValue: deposit
      ? isPercent
        ? String(deposit.percent)
        : amountText(deposit.amount!, currency)
      : '',
    depositDueDate: deposit?.dueDate ?? '',
    ...linesAsValues(lines),
    ...presentationValues(fields),
  });
}

/**
 * The form as it was sent. One that a release without presentation and groups has shown gets those of the draft, so that
 * saving it clears nothing.
 */
export function completed(sent: FormInput, fields: ProposalFields): FormInput {
  if (hasPresentation(sent)) return sent;
  const lines = Array.from({ length: MAX_LINE_ITEMS }, (_, line) => {
    const names = LINE_FIELDS.map((field) => lineField(line, field));
    const values = Object.fromEntries(names.map((name) => [name, sent.value(name)]));
    const description = sent.value(lineField(line, 'description'));
    // A cleared line moves those below it up.
    const stored =
      fields.lineItems.find((each) => each.description === description) ?? fields.lineItems[line];
    return description ? { ...values, [lineField(line, 'group')]: stored?.group ?? '' } : values;
  });
  return new FormInput({
    ...Object.fromEntries(FIELDS.map((name) => [name, sent.value(name)])),
    ...(Object.assign({}, ...lines) as Record<string, string>),
    ...presentationValues(fields),
  });
}

/** The form as it was sent, with its lines moved up to where blank ones were: their places are those of the stored lines. */
export function withoutBlankLines(form: FormInput): FormInput {
  const values = FIELDS.map((name): [string, string] => [name, form.value(name)]);
  return new FormInput({
    ...Object.fromEntries(values),
    ...linesAsValues(linesOf(form)),
    ...filledSections(form),
  });
}

/** The number of lines that aren't blank. */
export function countLines(form: FormInput): number {
  return linesOf(form).length;
}

/** The draft that the form describes; its problems are noted. `currency` is for amounts while the form has no valid one. */
export function readDraft(form: FormInput, currency: string): ProposalFields {
  const title = form.text('title', fieldRules.text(200));
  const given = form.text('currency', (code) =>
    isCurrencyCode(code as string) ? undefined : 'must be an ISO 4217 code such as EUR',
  );
  const known = isCurrencyCode(given) ? given : currency;
  return {
    ...{ title, currency: known },
    validUntil: form.optional('validUntil', fieldRules.date),
    lineItems: Array.from({ length: countLines(form) }, (_, line) => readLine(form, line, known)),
    deposit: readDeposit(form, known),
    notes: form.optional('notes', fieldRules.text(10_000)),
    ...readPresentation(form),
  };
}

/** Says what the use cases found wrong where the form has the field, in its units. */
export function renameProblems(form: FormInput): void {
  form.problems.forEach(({ field, message }, index) => {
    if (!field.startsWith('deposit.')) return;
    form.problems[index] = {
      field: 'depositValue',
      message: message.replace(/(?<=than the total), \d+$/, ''),
    };
  });
}

function readLine(form: FormInput, line: number, currency: string): LineItemInput {
  const name = (field: LineField) => lineField(line, field);
  const number = (field: LineField, rule: fieldRules.Rule) => {
    const text = form.optional(name(field), (typed) => rule(parseDecimal(typed as string)));
    return text === null ? null : (parseDecimal(text) ?? null);
  };
  return {
    description: form.text(name('description'), fieldRules.text(500)),
    quantity: number('quantity', fieldRules.decimal(0, MAX_QUANTITY, 3)),
    unit: form.text(name('unit'), fieldRules.oneOf(UNITS)) as Unit,
    unitAmount: readAmount(form, name('unitAmount'), currency, -MAX_AMOUNT),
    taxRate: number('taxRate', fieldRules.decimal(0, 100, 3)),
    group: form.optional(name('group'), fieldRules.text(MAX_GROUP)),
  };
}

function readDeposit(form: FormInput, currency: string): DepositInput | null {
  const kind = form.optional('deposit', fieldRules.oneOf(['percent', 'amount']));
  const dueDate = form.optional('depositDueDate', fieldRules.date);
  if (kind === null) {
    if (form.value('depositValue') || dueDate) {
      form.problems.push({
        field: 'deposit',
        message: 'Choose whether the deposit is a percentage or an amount',
      });
    }
    return null;
  }
  if (kind === 'amount') return { amount: readAmount(form, 'depositValue', currency, 0), dueDate };
  const rule = fieldRules.decimal(0, 100, 3);
  const percent = parseDecimal(form.text('depositValue', (typed) => rule(parseDecimal(typed as string))));
  return { percent: percent ?? 0, dueDate };
}

/** Zero for what is no amount: the problem is noted. */
function readAmount(form: FormInput, name: string, currency: string, least: number): number {
  const problem = (typed: unknown) => {
    const amount = parseAmount(typed as string, currency);
    if (amount === undefined) {
      return `must be an amount in ${currency} such as ${amountText(125_050, currency)}, without a mark for thousands`;
    }
    const isWithin = amount >= least && amount <= MAX_AMOUNT;
    return isWithin
      ? undefined
      : `must be from ${amountText(least, currency)} to ${amountText(MAX_AMOUNT, currency)}`;
  };
  return parseAmount(form.text(name, problem), currency) ?? 0;
}

function linesOf(form: FormInput): Record<LineField, string>[] {
  return Array.from({ length: MAX_LINE_ITEMS }, (_, line) => {
    const values = LINE_FIELDS.map((field) => [field, form.value(lineField(line, field))]);
    return Object.fromEntries(values) as Record<LineField, string>;
  }).filter(({ description, quantity, unitAmount, taxRate }) =>
    [description, quantity, unitAmount, taxRate].some((value) => value.trim() !== ''),
  );
}

function linesAsValues(lines: readonly Record<LineField, string>[]): Record<string, string> {
  const entries = lines.flatMap((line, index) =>
    LINE_FIELDS.map((field) => [lineField(index, field), line[field]]),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}
