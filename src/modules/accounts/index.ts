import type { Feature } from '../../platform/feature';
import { AccountsModule } from './accounts.module';

export { Accounts } from './application/accounts';
export { Passwords } from './application/passwords';
export { Sessions } from './application/sessions';
export { SignIn } from './application/sign-in';
export { AccountHeader } from './pages/account-header';
export { PASSWORD_HINT } from './pages/password-reset-pages';
export { signInPath } from './pages/return-path';
export { SessionGuard, SignedInPerson, SignedInUser, signedInUser, visitorOf } from './pages/signed-in';
export { SignedInBrowser } from './pages/signed-in-browser';
export type { User } from './domain/user';

export const accounts: Feature = { module: AccountsModule };
