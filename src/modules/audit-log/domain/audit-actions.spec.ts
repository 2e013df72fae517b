import fc from 'fast-check';
import { AuditActions } from './audit-actions';

const actions = new AuditActions();
actions.register({
  'api_key.revoked': 'Revoked the API key {target}',
  'member.role_changed': 'Changed the role of {target} from {previousRole} to {role}',
  'member.left': 'Left the workspace',
  'app.authorized': 'Let {target} use {scopes} until {expiresAt}',
});
const about = (action: string, name: string, details = {}) => ({
  action,
  target: { id: null, name },
  details,
});

test('an action is told in the words of its module', () => {
  expect(actions.describe(about('api_key.revoked', 'Website form'))).toBe('Revoked the API key Website form');
  expect(actions.describe(about('member.left', 'ana@example.com'))).toBe('Left the workspace');
});

test('with what the record says of it', () => {
  const details = { role: 'admin', previousRole: 'member' };
  expect(actions.describe(about('member.role_changed', 'ana@example.com', details))).toBe(
    'Changed the role of ana@example.com from member to admin',
  );
  expect(actions.describe(about('app.authorized', 'Planner', { scopes: ['a', 'b'], expiresAt: null }))).toBe(
    'Let Planner use a, b until –',
  );
});

test('names are told as they are, whatever they look like', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('{role}', '$&', '{target}')),
      (name) => {
        expect(actions.describe(about('api_key.revoked', name))).toBe(`Revoked the API key ${name}`);
      },
    ),
  );
});

test('an action that no module knows any more is told by its name', () => {
  expect(actions.describe(about('loyalty.granted', 'Gold'))).toBe('loyalty.granted: Gold');
});

test('two modules can’t claim the same action', () => {
  expect(() => actions.register({ 'member.left': 'Went' })).toThrow(
    'The audit action member.left is registered twice.',
  );
});

test('the kinds of objects are those of the registered actions', () => {
  expect(actions.kinds()).toEqual(['api_key', 'member', 'app']);
  expect([...actions.told('member.role_changed')]).toEqual(['target', 'previousRole', 'role']);
  expect(actions.told('loyalty.granted').size).toBe(0);
});
