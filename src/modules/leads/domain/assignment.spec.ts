import type { ValidationFailed } from '../../../kernel/errors';
import { newId, type UserId } from '../../../kernel/ids';
import { type AssignmentPolicy, checkedAssignment } from './assignment';

const people = (count: number): UserId[] => Array.from({ length: count }, () => newId('user'));

test.each<[AssignmentPolicy, number]>([
  ['none', 0],
  ['none', 3],
  ['fixed', 1],
  ['round_robin', 1],
  ['round_robin', 100],
])('%s takes %d members', (policy, count) => {
  const members = people(count);
  expect(checkedAssignment({ policy, members })).toEqual({ policy, members });
});

test.each<[AssignmentPolicy, number]>([
  ['none', 101],
  ['fixed', 0],
  ['fixed', 2],
  ['round_robin', 0],
  ['round_robin', 101],
])('%s doesn’t take %d members', (policy, count) => {
  const refused = (() => {
    try {
      checkedAssignment({ policy, members: people(count) });
    } catch (error) {
      return error as ValidationFailed;
    }
  })();
  expect(refused?.details).toEqual([{ field: 'members', message: expect.any(String) }]);
});

test('a member who is named twice counts once', () => {
  const [one] = people(1) as [UserId];
  expect(checkedAssignment({ policy: 'fixed', members: [one, one] }).members).toEqual([one]);
});
