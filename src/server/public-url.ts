/** The URL at which a server is found, from where it listens. */
import type { ListenSettings } from './server-options.ts';

/**
 * Without trailing slash; for a host that means every address, the name of this machine. What logins are signed for where
 * nothing else is configured, and what a start prints: the same, or nobody could log in at what was printed.
 */
export function publicUrl({ host, port, base = '' }: Pick<ListenSettings, 'host' | 'port' | 'base'>): string {
  return `http://${hostText(host)}:${port}${base}`;
}

function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
