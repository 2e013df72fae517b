import { ValidationFailed } from '../../../kernel/errors';
import { App } from './app';

const now = new Date('2027-01-15T09:30:00.000Z');
const settings = {
  name: 'Planner',
  redirectUris: ['https://a.test/cb'],
  scopes: ['leads:read', 'leads:write'],
};
const register = (changes: Partial<typeof settings> = {}, isPublic = false) =>
  App.register({ ...settings, ...changes }, { isPublic }, now);

test('a confidential app is known by its secret alone, which isn’t kept', () => {
  const { app, secret } = register();
  expect(secret).toMatch(/^gala_cs_[A-Za-z0-9_-]{43}$/);
  expect(app.isAuthenticatedBy(secret!)).toBe(true);
  for (const wrong of [undefined, '', `${secret}x`, secret!.toUpperCase()]) {
    expect(app.isAuthenticatedBy(wrong)).toBe(false);
  }
  expect(JSON.stringify(app)).not.toContain(secret);
});

test('a new secret ends the one before', () => {
  const { app, secret } = register();
  const next = app.rotateSecret();
  expect([app.isAuthenticatedBy(secret!), app.isAuthenticatedBy(next)]).toEqual([false, true]);
});

test('a public app has none, and takes none', () => {
  const { app, secret } = register({}, true);
  expect([secret, app.isPublic]).toEqual([null, true]);
  expect([app.isAuthenticatedBy(undefined), app.isAuthenticatedBy('x')]).toEqual([true, false]);
});

test('what is given twice counts once', () => {
  const { app } = register({ redirectUris: ['https://a.test/', 'https://a.test/'], scopes: ['a', 'a'] });
  expect([app.redirectUris, app.scopes]).toEqual([['https://a.test/'], ['a']]);
});

test('a change leaves alone what it doesn’t name, and is refused like a registration', () => {
  const { app } = register();
  app.change({ name: 'Seating' });
  expect(app).toMatchObject({ ...settings, name: 'Seating' });
  expect(() => app.change({ redirectUris: ['http://a.test/'] })).toThrow(ValidationFailed);
  expect(() => app.change({ scopes: [] })).toThrow(ValidationFailed);
  expect(app).toMatchObject({ ...settings, name: 'Seating' });
});

test('no web page may use its tokens unless its origin is registered', () => {
  const { app } = register();
  expect(app.allowedOrigins).toEqual([]);
  app.change({ allowedOrigins: ['https://a.test', 'https://b.test', 'https://a.test'] });
  app.change({ name: 'Seating' });
  expect(app.allowedOrigins).toEqual(['https://a.test', 'https://b.test']);
});

test.each([
  ['a path', ['https://a.test/cb']],
  ['every origin', ['*']],
  ['the origin of sandboxed pages', ['null']],
  ['more than twenty', Array.from({ length: 21 }, (_, index) => `https://a${index}.test`)],
])('as origins, %s is refused', (_, allowedOrigins) => {
  expect(() => App.register({ ...settings, allowedOrigins }, { isPublic: true }, now)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ field: 'allowedOrigins' })] }),
  );
});

test.each([
  ['redirectUris', { redirectUris: [] }],
  ['redirectUris', { redirectUris: ['https://a.test/', 'javascript:alert(1)'] }],
  ['scopes', { scopes: [] }],
])('%s that can’t be are refused: %j', (field, changes) => {
  expect(() => register(changes)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ field })] }),
  );
});

test('scopes that were taken away are allowed no more', () => {
  const { app } = register();
  app.change({ scopes: ['leads:read'] });
  expect(app.allowed(['leads:write', 'leads:read'])).toEqual(['leads:read']);
});
