import fc from 'fast-check';
import { TypeID } from 'typeid-js';
import { fromUuid, newId, parseId, toUuid } from './ids';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const dashed = (text: string) => text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const uuids = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => dashed(hex(bytes)));
const prefixes = fc.constantFrom('ws', 'user', 'key', 'lead', 'evt');

describe('newId', () => {
  test('makes ids that the official library takes for UUIDs of version 7 with its own spelling', () => {
    for (let count = 0; count < 500; count++) {
      const id = newId('lead');
      const official = TypeID.fromString(id, 'lead');
      expect(official.toUUID()).toBe(toUuid(id));
      expect(toUuid(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(TypeID.fromUUID('lead', toUuid(id)).toString()).toBe(id);
    }
  });

  test('carries the time of its making', () => {
    const before = Date.now();
    const time = parseInt(toUuid(newId('key')).replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    // More ids than one millisecond can number borrow from the next ones.
    expect(time).toBeLessThanOrEqual(Date.now() + 1000);
  });

  test('sorts in the order of making, as text and as UUID, and never repeats', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('lead'));
    expect([...ids].sort()).toEqual(ids);
    expect(ids.map(toUuid).sort()).toEqual(ids.map(toUuid));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('keeps the order when the clock is set back', () => {
    const first = newId('lead');
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    try {
      const later = Array.from({ length: 5000 }, () => newId('lead'));
      expect([first, ...later].sort()).toEqual([first, ...later]);
    } finally {
      now.mockRestore();
    }
  });
});

describe('toUuid and fromUuid', () => {
  test('spell every UUID as the official library does, and back', () => {
    fc.assert(
      fc.property(prefixes, uuids, (prefix, uuid) => {
        const id = fromUuid(prefix, uuid);
        expect(toUuid(id)).toBe(uuid);
        expect(parseId(prefix, id)).toBe(id);
        const version7 = `${uuid.slice(0, 14)}7${uuid.slice(15, 19)}8${uuid.slice(20)}`;
        expect(fromUuid(prefix, version7)).toBe(TypeID.fromUUID(prefix, version7).toString());
      }),
    );
  });

  test.each([
    ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
    ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
    ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ])('agree with the published vectors: %s', (uuid, suffix) => {
    expect(fromUuid('lead', uuid)).toBe(`lead_${suffix}`);
    expect(toUuid(`lead_${suffix}`)).toBe(uuid);
  });

  test('keep the order of UUIDs', () => {
    fc.assert(
      fc.property(uuids, uuids, (one, other) => {
        expect(fromUuid('lead', one) < fromUuid('lead', other)).toBe(one < other);
      }),
    );
  });
});

describe('parseId', () => {
  test.each([
    '',
    'lead',
    'lead_',
    '01h455vb4pex5vsknk084sn02q',
    '_01h455vb4pex5vsknk084sn02q',
    'key_01h455vb4pex5vsknk084sn02q',
    'leads_01h455vb4pex5vsknk084sn02q',
    'Lead_01h455vb4pex5vsknk084sn02q',
    'LEAD_01H455VB4PEX5VSKNK084SN02Q',
    'lead_01H455VB4PEX5VSKNK084SN02Q',
    'lead-01h455vb4pex5vsknk084sn02q',
    'lead_01h455vb4pex5vsknk084sn02',
    'lead_01h455vb4pex5vsknk084sn02q0',
    ' lead_01h455vb4pex5vsknk084sn02q',
    'lead_01h455vb4pex5vsknk084sn02q\n',
    'lead_81h455vb4pex5vsknk084sn02q',
    'lead_z1h455vb4pex5vsknk084sn02q',
    'lead_01h455vb4pex5vsknk084sn02i',
    'lead_01h455vb4pex5vsknk084sn02l',
    'lead_01h455vb4pex5vsknk084sn02o',
    'lead_01h455vb4pex5vsknk084sn02u',
    'lead_01h455vb4pex5vsknk084sn02-',
    'lead_01h455vb4pex5vsknk084sn0２q',
    'lead_01h455vb4pex5vsknk084sn02é',
    'lead_0\u00001h455vb4pex5vsknk084sn02',
    'undefined',
    'null',
    '01890a5d-ac96-774b-bcce-b302099a8057',
  ])('refuses %j', (text) => {
    expect(parseId('lead', text)).toBeUndefined();
  });

  test('takes any text exactly when it is the prefix and 26 digits that fit 128 bits', () => {
    const nearly = fc
      .array(
        fc.oneof(
          { weight: 20, arbitrary: fc.constantFrom(...ALPHABET) },
          fc.string({ minLength: 1, maxLength: 1 }),
        ),
        {
          minLength: 25,
          maxLength: 27,
        },
      )
      .map((digits) => `lead_${digits.join('')}`);
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: 'binary' })), (text) => {
        const isOne = /^lead_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text) && !text.endsWith('\n');
        expect(parseId('lead', text)).toBe(isOne ? text : undefined);
      }),
      { numRuns: 2000 },
    );
  });
});
