import { newId } from '../../../kernel/ids';
import { hashSecretToken } from '../../../kernel/secret-token';
import { Invitation } from './invitation';

const issue = () =>
  Invitation.issue(
    newId('ws'),
    { email: 'ana@example.com', role: 'admin' },
    newId('user'),
    new Date('2027-01-15T09:30:00.000Z'),
  );

test('an invitation holds for seven days', () => {
  expect(issue().invitation.expiresAt).toEqual(new Date('2027-01-22T09:30:00.000Z'));
});

test('its token has 256 random bits, and is kept as a hash alone', () => {
  const { invitation, token } = issue();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(invitation.hash.equals(hashSecretToken(token))).toBe(true);
  expect(JSON.stringify(invitation)).not.toContain(token);
  expect(issue().token).not.toBe(token);
});
