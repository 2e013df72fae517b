import { parseUrl } from '../../../kernel/url';
import type { LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import type { Configuration } from '../../../platform/config/configuration';
import { UndeliverableHost, NetworkPolicy } from './network-policy';

const FORBIDDEN_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32', '168.63.129.16/32'],
  ...['169.254.169.254/32', '100.100.100.200/32', '192.0.0.192/32'],
];
const FORBIDDEN_IPV6 = [
  ...['::/128', '::1/128', '::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'],
  ...['100::/64', '2001::/23', '2001::/32', '2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16'],
  ...['4000::/2', '8000::/2', 'fc00::/7', 'fd00:ec2::254/128', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];
const ODD_SPELLINGS = `
  127.1 127.0.1 2130706433 017700000001 0x7f000001 0x7F.1 0177.0.0.1 0x7f.0.0.0x1 0 0.0 00000000000 0x 0xffffffff
  4294967295 127.0.0.1. 2130706433. 0x7f.1. %31%32%37.0.0.1 127%2e0%2e0%2e1 １２７.０.０.１ 127。0。0。1 127．0．0．1
  ①②⑦.⓪.⓪.① 0ⅹ7f.1 169.254.169.254. 0xa9fea9fe 0251.0376.0251.0376 2852039166 10.1 192.168.257 0300.0250.1 [::]
  [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1]
  [64:ff9b::127.0.0.1] [64:ff9b:1::a00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [fe80::1]
  [fec0::1] [fd00:ec2::254] [::ffff:169.254.169.254] [ff02::1] localhost LOCALHOST localhost. a.localhost
  ｌｏｃａｌｈｏｓｔ loc%61lhost local\u00adhost ⓛocalhost
`
  .trim()
  .split(/\s+/);
const NO_URLS_TO_SEND_TO = [
  ...[
    'https://[fe80::1%eth0]/',
    'https://[fe80::1%25eth0]/',
    'https://[::1',
    'https://::1/',
    'https://256.1/',
    'https://',
  ],
  ...[
    'https://1.2.3.4.5/',
    'https://0x100000000/',
    'https://08.1/',
    'https:///',
    'https://exa mple.com/',
    '//example.com/',
  ],
  ...[
    'https://user@example.com/',
    'https://:pw@example.com/',
    'https://user:pw@example.com/',
    'https://example.com/#top',
  ],
  ...[
    'https://example.com@127.0.0.1/',
    'https://127.0.0.1\\@example.com/',
    'https://127.0.0.1#@example.com/',
  ],
  ...[
    'http://example.com/',
    'HTTP://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com:70/_',
  ],
  ...[
    'ws://example.com/',
    'wss://example.com/',
    'data:text/plain,a',
    'javascript:alert(1)',
    'blob:https://example.com/a',
  ],
  ...[
    'unix:/var/run/docker.sock',
    'dict://example.com:11211/',
    'ldap://example.com/',
    'about:blank',
    'example.com',
    '',
  ],
  `https://example.com/${'a'.repeat(2000)}`,
];

function policy(answers: string[] = [], allowed: string[] = []): NetworkPolicy {
  const resolver = {
    resolve4: () => Promise.resolve(answers.filter((address) => isIPv4(address))),
    resolve6: () => Promise.resolve(answers.filter((address) => !isIPv4(address))),
  };
  const configuration = { webhookAllowedNetworks: allowed } as unknown as Configuration;
  return new NetworkPolicy(configuration, resolver as unknown as Resolver);
}

/** What a connection to a name would be made to, if the name had these addresses. */
function connectable(answers: string[], protocol = 'https:'): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    policy(answers).lookupFor(protocol)('example.com', { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}

/** Refused when an endpoint is made, and again, had it got past that, when a connection is made. */
async function expectForbidden(host: string, address: string): Promise<void> {
  const url = `https://${host}/hook`;
  expect({ url, problem: policy().problem(url) }).toEqual({ url, problem: expect.any(String) });
  const parsed = parseUrl(url);
  if (parsed) expect(() => policy().checkLiteral(parsed)).toThrow(UndeliverableHost);
  await expect(connectable([address])).rejects.toThrow(UndeliverableHost);
}

const bytesWithin = (network: string): fc.Arbitrary<number[]> => {
  const [base, bits] = ipaddr.parseCIDR(network);
  const prefix = base.toByteArray();
  return fc
    .array(fc.integer({ min: 0, max: 255 }), { minLength: prefix.length, maxLength: prefix.length })
    .map((random) =>
      prefix.map((byte, index) => {
        const mask = (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff;
        return (byte & mask) | (random[index]! & ~mask & 0xff);
      }),
    );
};
const forbiddenIpv4 = fc.constantFrom(...FORBIDDEN_IPV4).chain(bytesWithin);

/** As `inet_aton` reads them: one to four numbers, each decimal, octal or hexadecimal, the last one taking the rest. */
const spellingOf = (bytes: number[]): fc.Arbitrary<string> =>
  fc
    .record({
      parts: fc.integer({ min: 1, max: 4 }),
      radixes: fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
      zeros: fc.integer({ min: 0, max: 3 }),
      disguise: fc.constantFrom<(text: string) => string>(
        (text) => text,
        (text) => text.toUpperCase(),
        (text) => `${text}.`,
        (text) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        (text) => text.replace(/\d/g, (digit) => `%3${digit}`),
        (text) => text.replaceAll('.', '。'),
      ),
    })
    .map(({ parts, radixes, zeros, disguise }) => {
      const last = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
      const numbers = [...bytes.slice(0, parts - 1), last].map((number, index) => {
        const radix = radixes[index]!;
        const prefix = { 8: '0', 10: '', 16: '0x' }[radix];
        return prefix + (radix === 10 ? '' : '0'.repeat(zeros)) + number.toString(radix);
      });
      return disguise(numbers.join('.'));
    });

const ipv6Text = (bytes: number[]): fc.Arbitrary<string> => {
  const address = new ipaddr.IPv6(bytes);
  const head = address.parts
    .slice(0, 6)
    .map((part) => part.toString(16))
    .join(':');
  return fc.constantFrom(
    address.toRFC5952String(),
    address.parts.map((part) => part.toString(16).padStart(4, '0').toUpperCase()).join(':'),
    address.parts.map((part) => part.toString(16)).join(':'),
    `${head}:${bytes.slice(12).join('.')}`,
  );
};

test('no forbidden IPv4 address is reached, however it is written', () =>
  fc.assert(
    fc.asyncProperty(
      forbiddenIpv4.chain((bytes) => spellingOf(bytes).map((spelling) => ({ bytes, spelling }))),
      ({ bytes, spelling }) => expectForbidden(spelling, bytes.join('.')),
    ),
    { numRuns: 2000 },
  ));

test('no forbidden IPv6 address is reached, however it is written', () =>
  fc.assert(
    fc.asyncProperty(
      fc
        .constantFrom(...FORBIDDEN_IPV6)
        .chain(bytesWithin)
        .chain((bytes) => ipv6Text(bytes)),
      (text) => expectForbidden(`[${text}]`, text),
    ),
    { numRuns: 2000 },
  ));

test('no forbidden IPv4 address is reached through one of IPv6', () => {
  const heads = [
    '::',
    '::ffff:',
    '::ffff:0:',
    '64:ff9b::',
    '64:ff9b:1::',
    'fe80::',
    'fec0::',
    'fd00::',
    '100::',
  ];
  return fc.assert(
    fc.asyncProperty(fc.constantFrom(...heads), forbiddenIpv4, (head, bytes) =>
      expectForbidden(`[${head}${bytes.join('.')}]`, `${head}${bytes.join('.')}`),
    ),
    { numRuns: 1000 },
  );
});

test.each(ODD_SPELLINGS)('https://%s/ is refused', (host) => {
  expect(policy().problem(`https://${host}/`)).toMatch(/^must lead to a public address/);
  expect(policy().problem(`https://${host}:8443/a?b`)).toMatch(/^must lead to a public address/);
});

test.each(NO_URLS_TO_SEND_TO)('%s is refused', (url) => {
  expect(policy().problem(url)).toEqual(expect.any(String));
});

test.each([
  'https://example.com/',
  'https://example.com:8443/a?b=c',
  'https://8.8.8.8/',
  'https://[2606:4700::1]/',
])('%s is taken', (url) => {
  expect(policy().problem(url)).toBeUndefined();
});

test('one forbidden address among several is enough', async () => {
  await expect(connectable(['8.8.8.8', '10.0.0.1'])).rejects.toThrow(UndeliverableHost);
  await expect(connectable(['8.8.8.8', '::1'])).rejects.toThrow(UndeliverableHost);
  await expect(connectable(['8.8.8.8', '2606:4700::1'])).resolves.toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
});

test('without TLS nothing is reached but what the operator allows', async () => {
  await expect(connectable(['8.8.8.8'], 'http:')).rejects.toThrow(UndeliverableHost);
  const local = policy([], ['127.0.0.0/8', 'fd00::/8']);
  expect(local.problem('http://127.0.0.1:8080/')).toBeUndefined();
  expect(local.problem('http://[fd00::1]/')).toBeUndefined();
  expect(local.problem('http://8.8.8.8/')).toEqual(expect.any(String));
  expect(local.problem('https://10.0.0.1/')).toEqual(expect.any(String));
  expect(local.problem('https://[::ffff:127.0.0.1]/')).toEqual(expect.any(String));
});

test.each([
  'https://example.com/\r\nX:1',
  ' https://example.com',
  'https://example.com/ ',
  'https://exa mple.com',
  'https:example.com',
  'https:/example.com',
  'https:\\\\example.com',
  'https://example.com\\hook',
  'https://@example.com',
  'https://:@example.com',
  'https://user@example.com',
  'https://example.com:99999',
  'https://',
  'https:///hook',
])('%j, which a parser would mend or misread, is refused', (url) => {
  expect(policy().problem(url)).toMatch(/^must (be a whole URL|not hold a user name)/);
});

test.each(['https://example.com', 'HTTPS://Example.com:8443/a@b?c=d/e', 'https://münchen.de/é?x=[]'])(
  '%s is taken',
  (url) => expect(policy().problem(url)).toBeUndefined(),
);

test('who gives an address by http is told when that goes', () => {
  expect(policy().problem('http://127.0.0.1:8080/hooks')).toMatch(
    /^must begin with https:.*WEBHOOK_ALLOWED_NETWORKS/,
  );
});
