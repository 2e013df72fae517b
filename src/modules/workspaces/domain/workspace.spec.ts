import { ValidationFailed } from '../../../kernel/errors';
import { isCurrency, Workspace } from './workspace';

describe('currencies', () => {
  test.each(['EUR', 'USD', 'JPY', 'KWD', 'MXN'])('%s is one', (code) => expect(isCurrency(code)).toBe(true));
  test.each(['', 'eur', 'EURO', '€', 'ABC', 'EUR '])('%j is none', (code) =>
    expect(isCurrency(code)).toBe(false),
  );
});

describe('the settings of a workspace', () => {
  const settings = { name: 'Garden Events', timeZone: 'Europe/Madrid', currency: 'EUR' };
  const open = () => Workspace.open(settings, new Date());
  const problemsOf = (change: object): string[] => {
    try {
      open().change({ ...settings, ...change });
      return [];
    } catch (error) {
      return (error as ValidationFailed).details.map(({ field }) => field);
    }
  };

  test('a change tells the former values of what became different', () => {
    const workspace = open();
    expect(workspace.change({ name: 'Océano', timeZone: 'Europe/Madrid', currency: 'JPY' })).toEqual({
      name: 'Garden Events',
      currency: 'EUR',
    });
    expect(workspace).toMatchObject({ name: 'Océano', timeZone: 'Europe/Madrid', currency: 'JPY' });
    expect(workspace.change({ name: 'Océano', timeZone: 'Europe/Madrid', currency: 'JPY' })).toEqual({});
  });

  test.each(['', ' ', 'x'.repeat(101), 'a\0b', '\ud800'])('%j is no name', (name) =>
    expect(problemsOf({ name })).toEqual(['name']),
  );

  test.each(['x', '😀'.repeat(100), ' a '])('%j is a name', (name) =>
    expect(problemsOf({ name })).toEqual([]),
  );

  test('everything that is wrong is named at once, and nothing of it is taken', () => {
    expect(problemsOf({ name: '', timeZone: 'Madrid', currency: 'eur' })).toEqual([
      'name',
      'timeZone',
      'currency',
    ]);
    const workspace = open();
    expect(() => workspace.change({ ...settings, name: 'New', currency: '?' })).toThrow(ValidationFailed);
    expect(workspace).toMatchObject(settings);
  });
});
