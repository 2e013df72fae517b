import fc from 'fast-check';
import { Field } from './field';
import { integer, object, objectList, rule, text, textList } from './field-rules';
import { MAX_VALUES, structuralProblems } from './input-problems';
import { validate } from './validation.pipe';

const digit = integer(1, 9);
const asked = jest.fn();

class Dish {
  @Field({ rule: text(20), presence: 'required' }) name!: string;
  @Field({ rule: rule(digit.schema, (value) => (asked(), digit(value))), presence: 'optional' })
  count?: number;
  @Field({ rule: objectList(() => Dish, 3), presence: 'nullable' }) sides?: Dish[] | null;
}

class Menu {
  @Field({ rule: text(20), presence: 'required' }) email!: string;
  @Field({ rule: textList(5, 4), presence: 'nullable' }) tags?: string[] | null;
  @Field({ rule: objectList(() => Dish, 100), presence: 'nullable' }) dishes?: Dish[] | null;
  @Field({ rule: object(() => Dish), presence: 'nullable' }) special?: Dish | null;
  /** Any JSON. */
  @Field({ rule: rule({}, () => undefined), presence: 'optional' }) free?: unknown;
}

const problemsOf = (input: object) => validate(Menu, input).problems;
const email = 'ana';

beforeEach(() => asked.mockClear());

test('makes instances, down to the last level', () => {
  const input = { email, special: { name: 'a' }, dishes: [{ name: 'b', sides: [{ name: 'c' }] }] };
  const { dto, problems } = validate(Menu, input);
  expect(problems).toEqual([]);
  expect(dto).toEqual(Object.assign(new Menu(), input));
  const { special, dishes } = dto as Menu;
  for (const dish of [special, dishes![0], dishes![0]!.sides![0]]) expect(dish).toBeInstanceOf(Dish);
});

test('refuses a list that is too long before any item is looked at, and still names the other fields', () => {
  const items = (count: number) => Array.from({ length: count }, () => ({ name: 'x\0', count: 5 }));
  expect(
    problemsOf({
      dishes: items(101),
      special: { name: 'a', sides: items(4) },
      tags: ['a', 'b', 'c', 'd', 'e'],
    }),
  ).toEqual([
    { field: 'dishes', message: 'must hold at most 100 items' },
    { field: 'tags', message: 'must hold at most 4 items' },
    { field: 'email', message: 'is required' },
    { field: 'special.sides', message: 'must hold at most 3 items' },
  ]);
  expect(asked).toHaveBeenCalledTimes(0);
});

test('names every offending field by its path', () => {
  const dishes = [{ name: 'a' }, { name: ' ', count: 10, nonsense: 1 }, { count: 1 }];
  expect(problemsOf({ email, dishes, special: 5, unknown: { x: 1 }, tags: ['a', 'x\0'] })).toEqual([
    { field: 'unknown', message: 'is not a known field here' },
    { field: 'tags', message: 'must not contain the character U+0000' },
    { field: 'special', message: 'must be an object' },
    { field: 'dishes[1].nonsense', message: 'is not a known field here' },
    { field: 'dishes[1].name', message: 'must not be blank' },
    { field: 'dishes[1].count', message: 'must be an integer from 1 to 9' },
    { field: 'dishes[2].name', message: 'is required' },
  ]);
  for (const wrong of [5, 'x', {}, [1], [null], [[]]]) {
    expect(problemsOf({ email, dishes: wrong })).toEqual([
      { field: 'dishes', message: 'must be an array of objects' },
    ]);
  }
});

test('checks no further items once there are more problems than an answer names', () => {
  const dishes = Array.from({ length: 100 }, () => ({ count: 10 }));
  expect(problemsOf({ dishes })[0]!.field).toBe('email');
  expect(asked.mock.calls.length).toBeLessThan(60);
});

test('looks at so many values and no more, wherever they are', () => {
  const tooMany = [
    { field: 'free', message: `is one value too many: a request may hold at most ${MAX_VALUES}` },
  ];
  // The body itself, its e-mail address and the list count too.
  const list = (length: number) => new Array<number>(length).fill(0);
  expect(problemsOf({ email, free: list(MAX_VALUES - 3) })).toEqual([]);
  expect(problemsOf({ email, free: list(MAX_VALUES - 2) })).toEqual(tooMany);
  const keys = Object.fromEntries(list(MAX_VALUES).map((_, index) => [`k${index}`, 0]));
  expect(problemsOf({ email, free: keys })).toMatchObject([{ message: tooMany[0]!.message }]);
  expect(problemsOf({ email, special: keys }).length).toBeLessThan(100);
});

test('refuses nesting without end, also of objects with fields of their own', () => {
  let dish: object = { name: 'a' };
  for (let level = 0; level < 10; level++) dish = { name: 'a', sides: [dish] };
  expect(problemsOf({ email, special: dish })).toEqual([
    expect.objectContaining({ message: 'must not be nested deeper than 16 levels' }),
  ]);
});

/** A POST with an Idempotency-Key counts on it: what it can't be told apart by must not be accepted. */
test('what is accepted has no structural problem', () => {
  const dish = fc.letrec<{ dish: object }>((tie) => ({
    dish: fc.record(
      { name: fc.constantFrom('a', 'x\0'), sides: fc.array(tie('dish'), { maxLength: 4 }) },
      { requiredKeys: ['name'] },
    ),
  })).dish;
  const input = fc.record({
    email: fc.constant(email),
    dishes: fc.array(dish),
    free: fc.oneof(
      fc.jsonValue(),
      fc.integer({ min: 9_800, max: 10_000 }).map((length) => new Array(length).fill(0)),
    ),
  });
  fc.assert(
    fc.property(input, (given) => {
      if (problemsOf(given).length === 0) expect(structuralProblems(given)).toEqual([]);
    }),
  );
});

test('a list without maxItems stops the start', () => {
  const decorate = () => {
    class Faulty {
      @Field({
        rule: rule({ type: 'array', items: { type: 'string' } }, () => undefined),
        presence: 'optional',
      })
      tags?: unknown;
    }
    return Faulty;
  };
  expect(decorate).toThrow('Faulty.tags is a list: give its schema maxItems');
});

test('a property that is typed as a list is one', () => {
  const decorate = () => {
    class Faulty {
      @Field({ rule: text(5), presence: 'optional' }) tags?: string[];
    }
    return Faulty;
  };
  expect(decorate).toThrow('Faulty.tags is a list');
});
