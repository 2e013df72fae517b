import fc from 'fast-check';
import { NotFound } from '../../kernel/errors';
import { newId, parseId } from '../../kernel/ids';
import { PathId } from './path-id';

const lead = new PathId('lead', 'lead');

test('reads every id of its kind, its example included', () => {
  for (const id of [newId('lead'), lead.example]) expect(lead.read(id)).toBe(id);
});

test('finds nothing by any other text', () => {
  const other = fc.oneof(
    fc.string(),
    fc.constantFrom(newId('prop'), `${lead.example}0`, lead.example.toUpperCase(), 'lead_'),
  );
  fc.assert(
    fc.property(other, (text) => {
      fc.pre(parseId('lead', text) === undefined);
      expect(() => lead.read(text)).toThrow(new NotFound('lead'));
    }),
  );
});
