import { Forbidden, ValidationFailed } from '../../../kernel/errors';
import { atLeast, type Role, ROLES } from '../../../kernel/role';
import { higherRole, mayManage, refuseToLoseLastOwner, refuseUnlessMayManage } from './role';

const pairs = ROLES.flatMap((one) => ROLES.map((other): [Role, Role] => [one, other]));

test('admins manage admins and members, owners everyone, members nobody', () => {
  expect(pairs.filter(([acting, other]) => mayManage(acting, other)).map((pair) => pair.join(' → '))).toEqual(
    ['admin → member', 'admin → admin', 'owner → member', 'owner → admin', 'owner → owner'],
  );
});

test('every role that a change touches counts', () => {
  expect(() => refuseUnlessMayManage('admin', 'member', 'admin')).not.toThrow();
  expect(() => refuseUnlessMayManage('owner', 'owner', 'member')).not.toThrow();
  for (const [acting, ...others] of [
    ['admin', 'owner', 'member'],
    ['admin', 'member', 'owner'],
    ['member', 'member'],
  ] as [Role, ...Role[]][]) {
    expect(() => refuseUnlessMayManage(acting, ...others)).toThrow(Forbidden);
  }
});

test('the higher of two roles', () => {
  for (const [one, other] of pairs) {
    const higher = higherRole(one, other);
    expect([one, other]).toContain(higher);
    expect(atLeast(higher, one) && atLeast(higher, other)).toBe(true);
  }
});

test('the last owner stays', () => {
  expect(() => refuseToLoseLastOwner(2)).not.toThrow();
  expect(() => refuseToLoseLastOwner(1)).toThrow(ValidationFailed);
});
