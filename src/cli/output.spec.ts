import { table } from './output';

test('names from the API can’t control the operator’s terminal', () => {
  const shown = table(['NAME'], [['evil\u001b[31m\u001b]0;pwn\u0007\nkey_1 forged\u202e']]);
  expect(shown).not.toMatch(/[\u001b\u0007\u202e]/);
  expect(shown.split('\n')).toHaveLength(2);
  expect(shown).toContain('evil\\u001b[31m');
});
