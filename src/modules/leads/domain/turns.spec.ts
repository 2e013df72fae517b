import fc from 'fast-check';
import { newId, type UserId } from '../../../kernel/ids';
import { Turns } from './turns';

const members = Array.from({ length: 4 }, () => newId('user'));
const [one, two, three] = members as [UserId, UserId, UserId];

test('the member who was given a lead least recently is next, of several the one with the first id', () => {
  const turns = new Turns(7, [
    { userId: one, given: 5 },
    { userId: three, given: 0 },
    { userId: two, given: 0 },
  ]);
  const order = Array.from({ length: 4 }, () => {
    const { next } = turns;
    turns.take();
    return next;
  });
  expect(order).toEqual([two, three, one, two]);
  expect(turns.count).toBe(11);
  expect(new Map(turns.latest)).toEqual(
    new Map([
      [three, 9],
      [one, 10],
      [two, 11],
    ]),
  );
});

test('a turn that isn’t taken stays with its member', () => {
  const turns = new Turns(0, [{ userId: members[0]!, given: 0 }]);
  expect([turns.next, turns.next]).toEqual([members[0], members[0]]);
  expect(turns.count).toBe(0);
  expect(turns.latest.size).toBe(0);
});

test('without members it is nobody’s turn, and none is counted', () => {
  const turns = new Turns(3, []);
  turns.take();
  expect(turns.next).toBeNull();
  expect(turns.count).toBe(3);
});

test('many turns at once go to the members to whom single ones would', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }), fc.nat(20), (given, count) => {
      let assignees = given.map((turn, index) => ({ userId: members[index]!, given: turn }));
      const together = new Turns(10, assignees);
      let turn = 10;
      for (let round = 0; round < count; round++) {
        const single = new Turns(turn, assignees);
        expect(together.next).toBe(single.next);
        together.take();
        single.take();
        turn = single.count;
        assignees = assignees.map((each) => ({
          ...each,
          given: single.latest.get(each.userId) ?? each.given,
        }));
      }
      expect(together.count).toBe(turn);
      for (const [userId, latest] of together.latest) {
        expect(assignees.find((each) => each.userId === userId)!.given).toBe(latest);
      }
    }),
  );
});
