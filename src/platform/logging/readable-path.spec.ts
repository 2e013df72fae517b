import fc from 'fast-check';
import { newId } from '../../kernel/ids';
import { readablePath } from './readable-path';

const id = newId('lead');

test.each([
  ['/v1/leads', {}, '/v1/leads'],
  ['/v1/leads/:id', { id }, `/v1/leads/${id}`],
  ['/v1/leads/:id/archive', { id: 'ana@example.com' }, '/v1/leads/:id/archive'],
  ['/v1/a/:one/b/:two', { one: 'ana', two: id }, `/v1/a/:one/b/${id}`],
  ['/v1/{*path}', { path: ['lead', id, 'un-archive'] }, `/v1/lead/${id}/un-archive`],
  ['/v1/{*path}', { path: ['leads', 'ana@example.com', '600123999', 'Ana'] }, '/v1/leads/…/…/…'],
  ['/v1/{*path}', { path: Array(300).fill('a') }, `/v1/${'a/'.repeat(8)}…`],
  ['/v1/{*path}', {}, '/v1/'],
])('%s with %j is %s', (template, parameters, path) => {
  expect(readablePath(template, parameters)).toBe(path);
});

test('a parameter that isn’t an id never appears, and the path is short and can be stored', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('$&', '$1', '\0', '\ud800', ':id'));
  fc.assert(
    fc.property(text, fc.array(text), (value, path) => {
      expect(readablePath('/v1/leads/:id', { id: value })).toBe('/v1/leads/:id');
      const told = readablePath('/v1/{*path}', { path });
      expect(told).toMatch(/^\/v1\/[a-z_\-…/]*$/);
      expect(told.length).toBeLessThan(400);
    }),
  );
});
