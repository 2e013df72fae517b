import { Module } from '@nestjs/common';
import { AccountRepository, SessionRepository } from './application/account-repository';
import { Accounts } from './application/accounts';
import { PasswordCheck } from './application/password-check';
import { Passwords } from './application/passwords';
import { AuthenticatorCodes, GuessLimit, PasswordHasher } from './application/ports';
import { SecondFactor } from './application/second-factor';
import { Sessions } from './application/sessions';
import { SignIn } from './application/sign-in';
import { AccountController } from './pages/account.controller';
import { PasswordResetController } from './pages/password-reset.controller';
import { SignInController } from './pages/sign-in.controller';
import { SignedInBrowser } from './pages/signed-in-browser';
import { TwoFactorController } from './pages/two-factor.controller';
import { Argon2PasswordHasher } from './infrastructure/argon2-password-hasher';
import { OtpauthCodes } from './infrastructure/otpauth-codes';
import { RateLimitedGuesses } from './infrastructure/rate-limited-guesses';
import { PostgresAccountRepository } from './infrastructure/account.repository';
import { PostgresSessionRepository } from './infrastructure/session.repository';

@Module({
  controllers: [AccountController, PasswordResetController, SignInController, TwoFactorController],
  providers: [
    Accounts,
    PasswordCheck,
    Passwords,
    SecondFactor,
    Sessions,
    SignedInBrowser,
    SignIn,
    { provide: AccountRepository, useClass: PostgresAccountRepository },
    { provide: AuthenticatorCodes, useClass: OtpauthCodes },
    { provide: GuessLimit, useClass: RateLimitedGuesses },
    { provide: PasswordHasher, useClass: Argon2PasswordHasher },
    { provide: SessionRepository, useClass: PostgresSessionRepository },
  ],
  exports: [Accounts, Passwords, Sessions, SignedInBrowser, SignIn],
})
export class AccountsModule {}
