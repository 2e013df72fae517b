import { atLeast, type Role, ROLES } from './role';

test('an owner is an admin, and an admin a member', () => {
  const pairs = ROLES.flatMap((one) => ROLES.map((other): [Role, Role] => [one, other]));
  expect(pairs.filter(([role, least]) => atLeast(role, least)).map((pair) => pair.join(' ≥ '))).toEqual([
    'member ≥ member',
    'admin ≥ member',
    'admin ≥ admin',
    'owner ≥ member',
    'owner ≥ admin',
    'owner ≥ owner',
  ]);
});
