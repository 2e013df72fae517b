import fc from 'fast-check';
import { newId } from '../../../kernel/ids';
import { LeadsView } from './leads-view';

const visitor = newId('user');
const parameter = fc.constantFrom(
  'view',
  'q',
  'stage',
  'owner',
  'source',
  'tag',
  'month',
  'guests',
  'sort',
  'cursor',
);

test('any address is a view, whose own address shows the same', () => {
  const addresses = fc.array(fc.tuple(parameter, fc.string({ unit: 'binary' })));
  fc.assert(
    fc.property(addresses, (entries) => {
      const view = LeadsView.read(Object.fromEntries(entries));
      const again = LeadsView.parse(view.query());
      expect(again.query()).toBe(view.query());
      expect(again.filter(visitor)).toEqual(view.filter(visitor));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void LeadsView.parse(text).filter(visitor)));
});

test('a change of what is shown begins with the first page', () => {
  const view = LeadsView.parse('stage=contacted&cursor=abc');
  expect(view.query({ stage: 'lost' })).toBe('stage=lost');
  expect(view.query({ cursor: 'def' })).toBe('stage=contacted&cursor=def');
  expect(view.query()).toBe('stage=contacted&cursor=abc');
});

test('a month ends with its last day', () => {
  const days = (month: string) => LeadsView.parse(`month=${month}`).filter(visitor);
  expect(days('2028-02')).toMatchObject({ eventDateFrom: '2028-02-01', eventDateTo: '2028-02-29' });
  expect(days('2027-12')).toMatchObject({ eventDateTo: '2027-12-31' });
});
