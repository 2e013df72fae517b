import * as fc from 'fast-check';
import { ValidationFailed } from '../../../kernel/errors';
import { fromUuid, newId } from '../../../kernel/ids';
import type { WorkspaceRef } from '../../../kernel/principal';
import {
  decodePosition,
  encodePosition,
  FEED_START,
  type FeedPlace,
  type FeedPosition,
  isBefore,
} from './feed-position';

const REF: WorkspaceRef = { workspaceId: newId('ws'), mode: 'live' };

const positions: fc.Arbitrary<FeedPosition> = fc.record({
  epoch: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  settlesWith: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  number: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  id: fc.uuid().map((uuid) => fromUuid('evt', uuid)),
  epochKey: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 }),
});
const START: FeedPosition = { ...FEED_START, epochKey: '0123456789abcdef' };

const refused = (text: string, ref = REF) => {
  expect(() => decodePosition(ref, text)).toThrow(ValidationFailed);
};
const encoded = (text: string) => Buffer.from(text).toString('base64url');
const fields = () => Buffer.from(encodePosition(REF, START), 'base64url').toString().split('.');

test('a position is read as it was written', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(decodePosition(REF, encodePosition(REF, position))).toEqual(position);
    }),
  );
});

test('positions of another workspace or mode are refused', () => {
  fc.assert(
    fc.property(positions, (position) => {
      refused(encodePosition({ ...REF, mode: 'test' }, position));
      refused(encodePosition({ ...REF, workspaceId: newId('ws') }, position));
    }),
  );
});

test('any other text is refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) =>
      refused(text),
    ),
  );
});

test('a changed character is refused, or is another position of the same feed', () => {
  fc.assert(
    fc.property(
      positions,
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (position, place, character) => {
        const text = encodePosition(REF, position);
        const at = place % text.length;
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        let read: FeedPosition | undefined;
        try {
          read = decodePosition(REF, changed);
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationFailed);
        }
        if (read) expect(encodePosition(REF, read)).toBe(changed);
      },
    ),
  );
});

test.each([
  ['epoch', 1, ['-1', '01', '1e3', '', ' 1', String(2 ** 31), '9'.repeat(20)]],
  ['transaction', 2, ['-1', '00', '0x1', '', String(2n ** 63n), '9'.repeat(400)]],
  ['number', 3, ['-1', '00', '0x1', '', String(2n ** 63n), '9'.repeat(400)]],
  ['id', 4, ['', 'evt_', newId('lead'), newId('evt').toUpperCase()]],
  ['key', 5, ['', 'abc', '0123456789ABCDEF', '0123456789abcdef0', '0123456789abcdeg']],
])('a wrong %s is refused', (_name, index, values) => {
  for (const value of values) {
    const changed = fields().with(index, value);
    refused(encoded(changed.join('.')));
  }
});

test('another spelling, and more after it, are refused', () => {
  const text = encodePosition(REF, { ...START, epoch: 1 });
  for (const wrong of [`${text}=`, ` ${text}`, `${text} `, `${text}\n`, text.slice(0, -1)]) refused(wrong);
  refused(encoded([...fields(), 'more'].join('.')));
  for (const count of [4, 5]) refused(encoded(fields().slice(0, count).join('.')));
});

test('positions are ordered by their fields, one after the other', () => {
  const key = ({ id, ...numbers }: FeedPlace) =>
    [numbers.epoch, numbers.settlesWith, numbers.number]
      .map((one) => String(one).padStart(20, '0'))
      .join(' ') + id;
  fc.assert(
    fc.property(positions, positions, (one, other) => {
      expect(isBefore(one, other)).toBe(key(one) < key(other));
      expect(isBefore(one, one)).toBe(false);
      for (const field of ['settlesWith', 'number', 'id'] as const) {
        expect(isBefore(one, { ...one, [field]: other[field] })).toBe(one[field] < other[field]);
      }
      expect(isBefore(FEED_START, one)).toBe(key(FEED_START) < key(one));
    }),
  );
});
