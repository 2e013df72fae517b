import fc from 'fast-check';
import { newId } from '../../../kernel/ids';
import { decodeCursor, encodeCursor } from './timeline-cursor';

const leadId = newId('lead');
const position = { at: new Date('2027-01-15T09:30:00.123Z'), type: 'activity', id: newId('act') };
const refused = (cursor: string) =>
  expect(() => decodeCursor(leadId, cursor)).toThrow('cursor: is not a cursor');

test('a cursor leads back to its position, and only in the timeline of its lead', () => {
  const cursor = encodeCursor(leadId, position);
  expect(decodeCursor(leadId, cursor)).toEqual(position);
  expect(decodeCursor(leadId, encodeCursor(leadId, { ...position, id: '12' })).id).toBe('12');
  refused(encodeCursor(newId('lead'), position));
});

test('anything else is refused', () => {
  const [fingerprint] = JSON.parse(Buffer.from(encodeCursor(leadId, position), 'base64url').toString());
  const time = position.at.toISOString();
  const forged: unknown[] = [
    null,
    [],
    [fingerprint, time, 'activity'],
    [fingerprint, '2027-01-15', 'activity', position.id],
    [fingerprint, '2027-01-15T09:30:00Z', 'activity', position.id],
    [fingerprint, '9999-99-99T09:30:00.123Z', 'activity', position.id],
    [fingerprint, time, "activity'", position.id],
    [fingerprint, time, 'activity', 'a b'],
    [fingerprint, time, 'activity', 12],
    [fingerprint, time, 'activity', 'a'.repeat(101)],
  ];
  for (const parts of forged) refused(Buffer.from(JSON.stringify(parts)).toString('base64url'));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), refused));
  fc.assert(fc.property(fc.json(), (json) => refused(Buffer.from(json).toString('base64url'))));
});
