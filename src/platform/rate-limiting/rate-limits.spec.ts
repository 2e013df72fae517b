import { isIPv6, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { addressBucket } from './rate-limits';

/** The first four groups, as written by the platform. */
function networkOf(address: string): string {
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const [head = '', tail = ''] = canonical.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const missing = canonical.includes('::') ? 8 - front.length - back.length : 0;
  const groups = [...front, ...Array<string>(missing).fill('0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}

const pureIpv6 = fc.ipV6().filter((address) => isIPv6(address) && !address.includes('.'));

describe('addressBucket', () => {
  test('of an IPv4 address is the address, in any notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(addressBucket(address)).toBe(address);
        expect(addressBucket(`::ffff:${address}`)).toBe(address);
        expect(addressBucket(`::FFFF:${address}`)).toBe(address);
      }),
    );
  });

  test('of an IPv6 address is its /64 network, in any notation', () => {
    fc.assert(
      fc.property(pureIpv6, (address) => {
        const expected = `${networkOf(address)}::/64`;
        expect(addressBucket(address)).toBe(expected);
        expect(addressBucket(address.toUpperCase())).toBe(expected);
        expect(addressBucket(`${address}%eth0`)).toBe(expected);
      }),
    );
  });

  test.each([
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });

  test('never throws, whatever a proxy sends', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(typeof addressBucket(text)).toBe('string')));
  });
});
