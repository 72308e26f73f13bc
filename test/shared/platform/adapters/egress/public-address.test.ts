import { expect, test } from 'vitest';
import { isPublicAddress } from '#shared/platform/adapters/egress/public-address.ts';

test.each([
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd00:ec2::254'],
  [
    'link-local, where clouds keep their metadata and Lambda its runtime',
    '169.254.169.254',
    '169.254.100.1',
    'fe80::1',
  ],
  ['shared by a carrier’s customers', '100.64.0.1', '100.127.255.255'],
  [
    'for protocols, documentation and benchmarks',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
  ],
  ['multicast, reserved and broadcast', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', 'ff02::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8'],
  ['IPv4-compatible and -translated', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  ['NAT64, well-known and local', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a9fe:a9fe'],
  ['6to4, Teredo and its relays', '2002:7f00:1::', '2002:808:808::1', '2001::1', '192.88.99.1'],
  ['site-local, unspecified, discarded', 'fec0::1', '::', '100::1'],
  ['outside of global unicast', '4000::1', '8000::1', '5f00::1'],
  ['no address at all', 'localhost', '', '1.2.3.4.5', '127.1'],
])('an address that is nobody’s business: %s', (_what, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
  'an address of the public internet may be reached: %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
