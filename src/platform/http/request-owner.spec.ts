import type { Request } from 'express';
import { turnTakerOf } from './request-owner';
import type { Route } from './route-table';

const from = (ip: string) => ({ ip }) as Request;
const route = (path: string, kind: 'page' | 'public', countsItself = false) =>
  ({ paths: [path], access: { kind }, countsItself }) as unknown as Route;

test('all who ask for a page that is open to anyone take the turns of one tenant', () => {
  const page = route('/proposals/:token', 'page');
  const [one, other] = ['192.0.2.1', '192.0.2.2'].map((ip) => turnTakerOf(from(ip), page));
  expect(one!.tenant).toBe(other!.tenant);
  expect(one!.caller).not.toBe(other!.caller);
  expect(turnTakerOf(from('192.0.2.1'), route('/sign-in', 'page')).tenant).not.toBe(one!.tenant);
});

test.each([
  ['a page for those who are signed in', route('/settings', 'page', true)],
  ['anything else', route('/v1/calendar.ics', 'public')],
])('%s: each address has turns of its own', (_, asked) => {
  const [one, other] = ['192.0.2.1', '192.0.2.2'].map((ip) => turnTakerOf(from(ip), asked));
  expect(one!.tenant).not.toBe(other!.tenant);
});
