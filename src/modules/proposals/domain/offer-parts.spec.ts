import fc from 'fast-check';
import { type LineItemInput, price } from './line-item';
import { groupsOf, headOf, paymentsOf, taxesOf } from './offer-parts';

const line = (group: string | null, unitAmount: number, taxRate = 10): LineItemInput => ({
  ...{ description: 'Dinner', unit: 'flat', quantity: 1, unitAmount, taxRate, group },
});
const priced = (...lines: LineItemInput[]) => price(lines, 'EUR', null);

test('groups stand in the order of their first lines', () => {
  const { lineItems } = priced(
    line('Catering', 100),
    line(null, 10),
    line('Venue', 50),
    line('Catering', 200),
  );
  const groups = groupsOf(lineItems).map(({ title, lines, subtotal }) => [title, lines.length, subtotal]);
  expect(groups).toEqual([
    ['Catering', 2, 300],
    [null, 1, 10],
    ['Venue', 1, 50],
  ]);
});

test('groups and rates lose no cent', () => {
  const lines = fc.array(
    fc.record({
      group: fc.constantFrom(null, 'Catering', 'Venue'),
      unitAmount: fc.integer({ min: 0, max: 1_000_000 }),
      taxRate: fc.constantFrom(0, 4, 10, 21),
    }),
  );
  fc.assert(
    fc.property(lines, (inputs) => {
      const offer = priced(
        ...inputs.map(({ group, unitAmount, taxRate }) => line(group, unitAmount, taxRate)),
      );
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      expect(sum(groupsOf(offer.lineItems).map(({ subtotal }) => subtotal))).toBe(offer.subtotal);
      const taxes = taxesOf(offer.lineItems);
      expect(sum(taxes.map(({ net }) => net))).toBe(offer.subtotal);
      expect(sum(taxes.map(({ tax }) => tax))).toBe(offer.taxTotal);
      expect(taxes.map(({ rate }) => rate)).toEqual(taxes.map(({ rate }) => rate).toSorted((a, b) => a - b));
    }),
  );
});

test('a deposit leaves a balance, unless it is all', () => {
  const deposit = { amount: 300, percent: null, dueDate: '2027-02-01' };
  expect(paymentsOf({ deposit, total: 1000 })).toEqual([
    { kind: 'deposit', amount: 300, dueDate: '2027-02-01' },
    { kind: 'balance', amount: 700, dueDate: null },
  ]);
  expect(paymentsOf({ deposit, total: 300 })).toHaveLength(1);
  expect(paymentsOf({ deposit: null, total: 300 })).toEqual([]);
  expect(paymentsOf({ deposit: { ...deposit, amount: 0 }, total: 300 })).toEqual([]);
});

test.each([
  ['Dinner', 'Dinner', ''],
  ['Dinner\nThree courses\nWine', 'Dinner', 'Three courses\nWine'],
  ['\n Dinner \n\n Wine', 'Dinner', 'Wine'],
])('the head of %j is %j', (description, head, rest) => {
  expect(headOf(description)).toEqual({ head, rest });
});
