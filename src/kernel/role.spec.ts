import { atLeast, type Role, ROLES } from './role';

test('each role includes the roles below it', () => {
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
