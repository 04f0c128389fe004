/** Reads addresses of clients as sockets and proxies write them. */
import { isIP } from 'node:net';

const V4_MAPPED = /^::ffff:/i;
const SHORTEST_V4_MAPPED = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/;
const MAX_PORT = 65_535;

/**
 * Converts an IPv4-mapped IPv6 address, such as `::ffff:1.2.3.4` or `::ffff:102:304`, to IPv4. Returns any other text
 * unchanged.
 */
export function toPlainAddress(address: string): string {
  const mapped = address.replace(V4_MAPPED, '');
  if (isIP(mapped) === 4) return mapped;
  if (isIP(address) !== 6) return address;
  // A URL has the shortest spelling of its address, with two groups of hex digits for an IPv4 address.
  const groups = SHORTEST_V4_MAPPED.exec(URL.parse(`http://[${address}]`)?.hostname ?? '')?.slice(1);
  if (groups === undefined) return address;
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [Math.floor(number / 256), number % 256]).join('.');
}

/**
 * Reads an entry of `X-Forwarded-For`, with or without a port: `1.2.3.4:5678`, `[::1]:5678`, `::1`.
 * @returns the address, IPv4-mapped ones as IPv4; undefined if the entry is no address or its port is above 65535
 */
export function readForwardedAddress(entry: string): string | undefined {
  const [, bracketed, beforePort, port = '0'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d+))?$/.exec(entry.trim()) ?? [];
  if (Number(port) > MAX_PORT) return undefined;
  const address = toPlainAddress(bracketed ?? beforePort ?? entry.trim());
  return isIP(address) === 0 ? undefined : address;
}
