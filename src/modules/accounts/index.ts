import type { Feature } from '../../platform/feature';
import { AccountsModule } from './accounts.module';

export { Accounts } from './application/accounts';
export { Passwords } from './application/passwords';
export { Sessions } from './application/sessions';
export { SignIn } from './application/sign-in';
export { AccountHeader } from './http/account-header';
export { PASSWORD_HINT } from './http/password-reset-pages';
export { signInPath } from './http/return-path';
export { SessionGuard, SignedInPerson, SignedInUser, signedInUser, visitorOf } from './http/signed-in';
export { SignedInBrowser } from './http/signed-in-browser';
export type { User } from './domain/user';

export const accounts: Feature = { module: AccountsModule };
