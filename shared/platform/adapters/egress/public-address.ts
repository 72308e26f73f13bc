import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public. All special-purpose addresses are not: private, loopback, link-local, shared
 * (CGNAT), documentation, multicast and reserved addresses, and IPv6 addresses that embed an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo), because their gateway would forward to that address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
