import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Configuration } from '../../platform/config/configuration';
import { addressOf } from '../../platform/config/public-address';
import { isOwnMachine } from '../../platform/config/own-machine';
import { type Finding, findingsOf } from './finding';

const address = findingsOf('address');
const tls = findingsOf('tls');
const DAY_MS = 24 * 3600 * 1000;
const RENEW_DAYS = 14;

/** Whether PUBLIC_URL, TLS and proxies fit each other. */
export function checkAddress({ publicUrl, tls: files, trustedProxies }: Configuration): Finding[] {
  const isLocal = isOwnMachine(publicUrl.hostname);
  if (publicUrl.protocol === 'https:' && !files && trustedProxies.length === 0) {
    return [
      address.problem(
        `PUBLIC_URL is ${addressOf(publicUrl)}, but nothing here ends TLS: every request will be sent to HTTPS again and again.`,
        'Name the proxy that ends TLS in TRUSTED_PROXIES and let it set X-Forwarded-Proto, or give TLS_CERT_FILE and TLS_KEY_FILE.',
      ),
    ];
  }
  if (publicUrl.protocol === 'http:' && !isLocal) {
    return [
      address.problem(
        `PUBLIC_URL is ${addressOf(publicUrl)}: keys and passwords cross the network in the clear.`,
        'Let PUBLIC_URL begin with https:, with a proxy that ends TLS or a certificate of its own.',
      ),
    ];
  }
  if (isLocal) {
    return [
      address.warning(
        `PUBLIC_URL is ${addressOf(publicUrl)}: links in mails and webhooks lead nowhere from another machine.`,
        'Set PUBLIC_URL to the address that clients use. For trying out on this machine nothing is to be done.',
      ),
    ];
  }
  return [address.ok(`Clients reach the service at ${addressOf(publicUrl)}.`)];
}

export function checkCertificate({ publicUrl, tls: files }: Configuration, now: Date): Finding[] {
  if (!files) return [];
  const certificate = new X509Certificate(readFileSync(files.certificateFile));
  const days = Math.floor((Date.parse(certificate.validTo) - now.getTime()) / DAY_MS);
  const renew = 'Renew it, and restart the service, which reads it at the start.';
  const findings: Finding[] = [];
  if (days < 0) findings.push(tls.problem(`The certificate ended on ${certificate.validTo}.`, renew));
  else if (days < RENEW_DAYS) findings.push(tls.warning(`The certificate ends in ${days} days.`, renew));
  const host = publicUrl.hostname;
  const ip = host.replace(/^\[|\]$/g, '');
  const covers = isIP(ip) ? certificate.checkIP(ip) : certificate.checkHost(host);
  if (!covers) {
    findings.push(tls.problem(`The certificate is not for ${host}.`, 'Get one for the host of PUBLIC_URL.'));
  }
  return findings.length > 0
    ? findings
    : [tls.ok(`The certificate is for ${host} and good for ${days} days.`)];
}
