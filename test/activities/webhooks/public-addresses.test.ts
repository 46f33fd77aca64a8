import type { LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { createPostWebhook } from '../../../activities/webhooks/post-webhook';
import { isPublicAddress } from '../../../platform/ip-addresses';
import { runInActivity } from '../../support/new-activity';
import { startCaller } from './webhook-world';

test.each([
  ...['127.0.0.1', '127.255.0.9', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
  ...['::', '::1', '[::1]', '::7f00:1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ...['2001::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '2001:db8::1', '4000::1'],
])('the address %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

// The metadata of a machine can have credentials of its cloud account.
test.each([
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
  ['AWS, Google Cloud, Azure, Oracle, DigitalOcean, Hetzner, OpenStack', '169.254.169.254'],
  ['AWS with IPv6', 'fd00:ec2::254'],
  // https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-metadata-endpoint-v4.html
  ['tasks of AWS ECS', '169.254.170.2'],
  // https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html
  ['pods of AWS EKS', '169.254.170.23'],
  ['pods of AWS EKS with IPv6', 'fd00:ec2::23'],
  // https://cloud.google.com/compute/docs/metadata/querying-metadata
  ['Google Cloud with IPv6', 'fd20:ce::254'],
  // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  ['Azure, its WireServer', '168.63.129.16'],
  // https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
  ['Alibaba Cloud', '100.100.100.200'],
  // https://docs.oracle.com/en-us/iaas/Content/Compute/Tasks/gettingmetadata.htm
  ['Oracle Cloud with IPv6', 'fd00:c1::a9fe:a9fe'],
  ['Oracle Cloud, Classic', '192.0.0.192'],
  // https://www.scaleway.com/en/docs/instances/how-to/use-cloud-init/
  ['Scaleway', '169.254.42.42'],
  ['Scaleway with IPv6', 'fd00:42::42'],
  // https://www.tencentcloud.com/document/product/213/4934
  ['Tencent Cloud', '169.254.0.23'],
])('the metadata host of %s has no public address', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '[2606:4700::1111]'])(
  'the address %s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each(['localhost', 'example.com', '', '1.2.3.example'])('%s is not an IP address', (name) => {
  expect(isPublicAddress(name)).toBeUndefined();
});

describe('outside the local environment', () => {
  let caller: Awaited<ReturnType<typeof startCaller>>;
  beforeEach(async () => {
    caller = await startCaller();
  });
  afterEach(() => caller.stop());

  const ipv4Address = (address: string): LookupAddress => ({ address, family: 4 });
  /** `responses`: the addresses that each lookup of the host name returns, in order. */
  const resolveNamesTo = (...responses: LookupAddress[][]) => {
    const lookups: string[] = [];
    const post = createPostWebhook({
      publicOnly: true,
      timeoutMs: 5_000,
      resolve: (name, _, done) => done(null, responses[lookups.push(name) - 1] ?? []),
    });
    return {
      lookups,
      post: (scheme: string) => runInActivity(() => post(`${scheme}://hooks.example:${caller.port}/`, {}, '{}')),
    };
  };

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', 'localhost'])(
    'nothing is sent to %s',
    async (host) => {
      const post = createPostWebhook({ publicOnly: true });
      for (const scheme of ['http', 'https'])
        expect(await runInActivity(() => post(`${scheme}://${host}:${caller.port}/`, {}, '{}'))).toBe('private');
      expect(caller.connections()).toBe(0);
    },
  );

  it.each<[string, LookupAddress[]]>([
    ['resolves to a loopback address', [ipv4Address('127.0.0.1')]],
    ['resolves to a public and a loopback address', [ipv4Address('93.184.216.34'), ipv4Address('127.0.0.1')]],
    ['resolves to a metadata host in a public range', [ipv4Address('168.63.129.16')]],
    ['resolves to a loopback address in IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ])('nothing is sent to a name that %s', async (_, addresses) => {
    const { post } = resolveNamesTo(addresses, addresses);
    for (const scheme of ['http', 'https']) expect(await post(scheme)).toBe('private');
    expect(caller.connections()).toBe(0);
  });

  it('a name is resolved once per connection, and the connection uses the checked address', async () => {
    // The first lookup finds no address. A second lookup for this connection would find 127.0.0.1, with the result `private`.
    const { lookups, post } = resolveNamesTo([], [ipv4Address('127.0.0.1')]);
    expect(await post('http')).toBe('unreachable');
    expect(lookups).toEqual(['hooks.example']);
    expect(await post('http')).toBe('private');
    expect(lookups).toHaveLength(2);
    expect(caller.connections()).toBe(0);
  });

  it.each([1, 2])('an event is sent to a name whose %i addresses are all public', async (count) => {
    // Test machines have no public address, so every address counts as public here.
    const range = jest.spyOn(ipaddr.IPv4.prototype, 'range').mockReturnValue('unicast');
    const { post } = resolveNamesTo([ipv4Address('127.0.0.1'), ipv4Address('127.0.0.1')].slice(0, count));
    expect(await post('http')).toEqual({ status: 204, body: '' });
    expect(caller.received[0]?.headers['host']).toBe(`hooks.example:${caller.port}`);
    range.mockRestore();
  });
});
