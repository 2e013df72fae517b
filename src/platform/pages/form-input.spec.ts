import fc from 'fast-check';
import { NotFound, ValidationFailed } from '../../kernel/errors';
import { email, oneOf, text } from '../http/field-rules';
import { FormInput } from './form-input';

const never = () => Promise.reject(new Error('must not be done'));

test('a field that came several times has all values as a list, and the last as its value', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
      const form = new FormInput({ field: values });
      expect(form.list('field')).toEqual(values);
      expect(form.value('field')).toBe(values.at(-1));
    }),
  );
});

test('a field that didn’t come is empty', () => {
  for (const form of [new FormInput(), new FormInput({ field: undefined }), new FormInput({ field: [] })]) {
    expect(form.value('field')).toBe('');
    expect(form.list('field')).toEqual([]);
    expect(form.isFaulty).toBe(false);
  }
});

test('names that every object has are no fields', () => {
  // As a decoded body: without a prototype.
  const form = new FormInput(Object.create(null) as Record<string, string>);
  for (const name of ['toString', 'constructor', '__proto__']) expect(form.value(name)).toBe('');
});

describe('text', () => {
  test('is what was typed when it follows the rule', () => {
    const form = new FormInput({ email: 'ana@example.com' });
    expect(form.text('email', email)).toBe('ana@example.com');
    expect(form.isFaulty).toBe(false);
    expect(form.problem('email')).toBeUndefined();
  });

  test.each([
    ['', 'is required'],
    ['  ', 'must not be blank'],
    ['far too long', 'must have at most 5 characters'],
    ['a\0b', 'must not contain the character U+0000'],
    ['a\ud800', 'must not contain unpaired surrogates'],
  ])('%j %s', (typed, problem) => {
    const form = new FormInput({ name: typed });
    form.text('name', text(5));
    expect(form.problem('name')).toBe(problem);
    expect(form.value('name')).toBe(typed);
  });
});

describe('an optional field', () => {
  test('may be empty, and is checked otherwise', () => {
    expect(new FormInput().optional('role', oneOf(['admin']))).toBeNull();
    expect(new FormInput({ role: 'admin' }).optional('role', oneOf(['admin']))).toBe('admin');
    const form = new FormInput({ role: 'king' });
    form.optional('role', oneOf(['admin']));
    expect(form.problems).toEqual([{ field: 'role', message: 'must be one of admin' }]);
  });
});

describe('submit', () => {
  test('does what the form is for, and tells the result', async () => {
    expect(await new FormInput().submit(() => Promise.resolve(undefined))).toEqual({ result: undefined });
  });

  test('does nothing when something is wrong already', async () => {
    const form = new FormInput();
    form.text('name', text(5));
    expect(await form.submit(never)).toBeUndefined();
  });

  test('notes what the use case finds wrong', async () => {
    const form = new FormInput({ name: 'taken' });
    const problem = { field: 'name', message: 'is taken' };
    expect(await form.submit(() => Promise.reject(new ValidationFailed(problem)))).toBeUndefined();
    expect(form.problems).toEqual([problem]);
  });

  test('lets every other error through', async () => {
    await expect(new FormInput().submit(() => Promise.reject(new NotFound('member')))).rejects.toThrow(
      NotFound,
    );
  });
});
