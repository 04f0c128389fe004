/** Reads addresses of clients as sockets and proxies write them. */
import { isIP } from 'node:net';

const V4_MAPPED = /^::ffff:/i;

/** Converts an IPv4-mapped IPv6 address to IPv4. Returns any other text unchanged. */
export function toPlainAddress(address: string): string {
  const mapped = address.replace(V4_MAPPED, '');
  return isIP(mapped) === 4 ? mapped : address;
}

/**
 * Reads an entry of `X-Forwarded-For`, with or without a port: `1.2.3.4:5678`, `[::1]:5678`, `::1`.
 * @returns the address, IPv4-mapped ones as IPv4; undefined if the entry is no address
 */
export function readForwardedAddress(entry: string): string | undefined {
  const [, bracketed, beforePort] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(entry.trim()) ?? [];
  const address = toPlainAddress(bracketed ?? beforePort ?? entry.trim());
  return isIP(address) === 0 ? undefined : address;
}
