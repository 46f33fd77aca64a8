import { locateAddress, readAddress, readNetwork } from '../../platform/ip-addresses';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
])('the address %s is read as %s', (text, expected) => {
  expect(readAddress(text)).toBe(expected);
});

test.each([
  '',
  'localhost',
  '0x7f000001',
  '127.1',
  '010.0.0.1',
  '1.2.3',
  '1.2.3.256',
  'fe80::1%eth0',
  '[::1]',
  ' ::1',
  '::1/64',
])('the text %j is no address', (text) => {
  expect(readAddress(text)).toBeUndefined();
});

test.each([
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['10.200.1.1/8', '10.0.0.0/8'],
  ['2001:db8:1:2::/32', '2001:db8::/32'],
])('the network %s is read as %s', (text, expected) => {
  expect(readNetwork(text)).toBe(expected);
});

test.each([
  '203.0.113.0/25',
  '203.0.113.0/7',
  '203.0.113.0',
  '2001:db8::/49',
  '2001:db8::/15',
  '::ffff:1.2.3.4/96',
  '1.2/8',
  '1.2.3.4/ 8',
  '/8',
])('the text %j is no network that can be on a list', (text) => {
  expect(readNetwork(text)).toBeUndefined();
});

test('an IPv4 address is in 17 networks, and an IPv6 address belongs to a network of 64 bits', () => {
  const { customer, networks } = locateAddress('203.0.113.7');
  expect([customer, networks.length, networks[0], networks.at(-1)]).toEqual([
    '203.0.113.7',
    17,
    '203.0.113.0/24',
    '203.0.0.0/8',
  ]);
  const ipv6 = locateAddress('2001:db8:1:2:3::4');
  expect([ipv6.customer, ipv6.networks[0], ipv6.networks.at(-1)]).toEqual([
    '2001:db8:1:2::/64',
    '2001:db8:1::/48',
    '2001::/16',
  ]);
  for (const network of [...networks, ...ipv6.networks]) expect(readNetwork(network)).toBe(network);
});
