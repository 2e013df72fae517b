import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Configuration } from '../../platform/config/configuration';
import { addressOf } from '../../platform/config/public-address';
import { isLoopbackHost } from '../../platform/config/loopback-host';
import { type Finding, findingsOf } from './finding';

const address = findingsOf('address');
const tls = findingsOf('tls');
const DAY_MS = 24 * 3600 * 1000;
const RENEW_DAYS = 14;

/** Checks that PUBLIC_URL, TLS and proxies are consistent. */
export function checkAddress({ publicUrl, tls: files, trustedProxies }: Configuration): Finding[] {
  const isLocal = isLoopbackHost(publicUrl.hostname);
  if (publicUrl.protocol === 'https:' && !files && trustedProxies.length === 0) {
    return [
      address.problem(
        `PUBLIC_URL is ${addressOf(publicUrl)}, but TLS isn’t configured: every request will be redirected endlessly.`,
        'List the proxy that terminates TLS in TRUSTED_PROXIES and let it set X-Forwarded-Proto, or set TLS_CERT_FILE and TLS_KEY_FILE.',
      ),
    ];
  }
  if (publicUrl.protocol === 'http:' && !isLocal) {
    return [
      address.problem(
        `PUBLIC_URL is ${addressOf(publicUrl)}: keys and passwords are sent unencrypted.`,
        'Change PUBLIC_URL to https:, and use a proxy that terminates TLS, or a certificate.',
      ),
    ];
  }
  if (isLocal) {
    return [
      address.warning(
        `PUBLIC_URL is ${addressOf(publicUrl)}: links in emails and webhooks don’t work on other machines.`,
        'Set PUBLIC_URL to the address that clients use. Ignore this if you only use Gala on this machine.',
      ),
    ];
  }
  return [address.ok(`Clients reach the service at ${addressOf(publicUrl)}.`)];
}

export function checkCertificate({ publicUrl, tls: files }: Configuration, now: Date): Finding[] {
  if (!files) return [];
  const certificate = new X509Certificate(readFileSync(files.certificateFile));
  const days = Math.floor((Date.parse(certificate.validTo) - now.getTime()) / DAY_MS);
  const renew = 'Renew it, and restart the service.';
  const findings: Finding[] = [];
  if (days < 0) findings.push(tls.problem(`The certificate expired on ${certificate.validTo}.`, renew));
  else if (days < RENEW_DAYS) findings.push(tls.warning(`The certificate expires in ${days} days.`, renew));
  const host = publicUrl.hostname;
  const ip = host.replace(/^\[|\]$/g, '');
  const covers = isIP(ip) ? certificate.checkIP(ip) : certificate.checkHost(host);
  if (!covers) {
    findings.push(tls.problem(`The certificate is not for ${host}.`, 'Get one for PUBLIC_URL’s host.'));
  }
  return findings.length > 0
    ? findings
    : [tls.ok(`The certificate is for ${host} and valid for ${days} days.`)];
}
