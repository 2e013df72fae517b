import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { AuthenticatorCodes } from '../application/ports';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;

/** Uses the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
@Injectable()
export class OtpauthCodes extends AuthenticatorCodes {
  newSecret(): string {
    return new Secret({ size: SECRET_BYTES }).base32;
  }

  enrolmentUri(secret: string, email: string): string {
    return totp(secret, email).toString();
  }

  stepOf(secret: string, code: string, now: Date): number | undefined {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return undefined;
    const timestamp = now.getTime();
    const delta = totp(secret).validate({ token, timestamp, window: 1 });
    return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
  }
}

function totp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Gala', label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret });
}
