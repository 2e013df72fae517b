import { kindOf } from './request-kind';

const LIST = {
  access: { kind: 'scope', scopes: ['leads:read'] },
  takesQuery: true,
  scansRows: false,
} as const;
const ITEM = { ...LIST, takesQuery: false };
const FEED = { ...LIST, scansRows: true };
const PAGE = { ...ITEM, access: { kind: 'page' } } as const;

const get = (originalUrl: string) => ({ method: 'GET', originalUrl });

test.each([
  ['an item', get('/v1/leads/lead_1'), ITEM, 0, 'small'],
  ['the first item of a list', get('/v1/leads?limit=1'), LIST, 0, 'small'],
  ['a list', get('/v1/leads'), LIST, 0, 'large'],
  ['a page of a list, even an empty one', get('/v1/leads?limit=100&page=1000'), LIST, 0, 'large'],
  ['a longer page that ends like a short one', get('/v1/leads?limit=12'), LIST, 0, 'large'],
  ['one item far down a list', get('/v1/leads?page=1000&limit=1'), LIST, 0, 'large'],
  ['a page whose last value ends like a short one', get('/v1/leads?limit=100&q=a?limit=1'), LIST, 0, 'large'],
  ['one item of a search', get('/v1/leads?limit=1&q=ana'), LIST, 0, 'large'],
  ['one item of a feed that looks for it', get('/v1/changes?limit=1'), FEED, 0, 'large'],
  ['a page for people', get('/settings/ws_1/live/proposals'), PAGE, 0, 'large'],
  ['a form', { method: 'POST', originalUrl: '/sign-in' }, PAGE, 100, 'write'],
  ['a change', { method: 'PATCH', originalUrl: '/v1/leads/lead_1' }, ITEM, 16_384, 'write'],
  ['a change of many rows', { method: 'POST', originalUrl: '/v1/leads/bulk' }, FEED, 100, 'large'],
  ['a large body', { method: 'POST', originalUrl: '/v1/leads' }, ITEM, 16_385, 'large'],
] as const)('%s', (_what, request, route, bodyBytes, kind) => {
  expect(kindOf(request, route, bodyBytes)).toBe(kind);
});
