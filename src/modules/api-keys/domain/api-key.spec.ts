import fc from 'fast-check';
import { newId } from '../../../kernel/ids';
import { ApiKey } from './api-key';

const workspace = { workspaceId: newId('ws'), mode: 'test' } as const;
const START = Date.parse('2027-01-15T09:30:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000);
const issue = (expiresAt: Date | null = null, scopes = ['leads:read', 'leads:write']) =>
  ApiKey.issue(workspace, { name: 'Key', scopes, expiresAt }, null, at(0)).key;
const endOf = (key: ApiKey) => key.endsAt?.getTime() ?? Infinity;

type Step = { make: number | null } | { rotate: number; by: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ make: fc.option(fc.integer({ min: 1, max: 400 })) }),
  fc.record({ rotate: fc.integer({ min: 0, max: 200 }), by: fc.nat() }),
);

describe('an API key', () => {
  test('whatever keys make and rotate, none of those they lead to can do more or live longer', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 50, max: 300 })),
        fc.array(fc.tuple(step, fc.nat({ max: 30 }), fc.nat()), { maxLength: 10 }),
        (expiry, steps) => {
          const keys = [issue(expiry === null ? null : at(expiry))];
          let now = 0;
          for (const [each, passed, choice] of steps) {
            now += passed;
            const key = keys[choice % keys.length]!;
            const before = endOf(key);
            const caller = 'by' in each ? keys[each.by % keys.length]! : key;
            const limit = endOf(caller);
            try {
              if (caller !== key) caller.refuseToRotate(key);
              const made =
                'rotate' in each
                  ? key.rotate(each.rotate, null, at(now)).key
                  : key.issueChild(
                      {
                        name: 'Child',
                        scopes: ['leads:read'],
                        expiresAt: each.make === null ? null : at(each.make),
                      },
                      at(now),
                    ).key;
              expect(endOf(made)).toBeLessThanOrEqual(Math.min(before, limit));
              expect(key.scopes).toEqual(expect.arrayContaining([...made.scopes]));
              keys.push(made);
            } catch (error) {
              if (!(error instanceof Error) || !('code' in error)) throw error;
            }
            expect(endOf(key)).toBeLessThanOrEqual(before);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('ends at the sooner of its expiry and its grace, from that very moment', () => {
    for (const [expiry, grace, end] of [
      [100, 50, 50],
      [100, 200, 100],
      [null, 50, 50],
    ] as const) {
      const key = issue(expiry === null ? null : at(expiry));
      key.rotate(grace, null, at(0));
      expect(key.endsAt).toEqual(at(end));
      expect(key.hasEnded(at(end - 0.001))).toBe(false);
      expect(key.hasEnded(at(end))).toBe(true);
    }
  });

  test('rotated without grace is revoked, whatever any clock says', () => {
    const key = issue();
    key.rotate(0, null, at(10));
    expect(key.revokedAt).toEqual(at(10));
    expect(key.hasEnded(at(-1000))).toBe(true);
  });

  test('is revoked once', () => {
    const key = issue();
    expect([key.revoke(at(1)), key.revoke(at(2))]).toEqual([true, false]);
    expect(key.revokedAt).toEqual(at(1));
  });

  test('is shown without its hash', () => {
    expect(Object.keys(issue().view()).sort()).toEqual([
      'createdAt',
      'createdBy',
      'expiresAt',
      'id',
      'last4',
      'lastUsedAt',
      'mode',
      'name',
      'revokedAt',
      'scopes',
    ]);
  });
});
