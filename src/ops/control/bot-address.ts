/** Where a bot takes commands: the path of its control socket, or a TCP port. */
import { InputFault } from '../../domain/index.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  /** Whether a proxy in front of the bot ends TLS; its certificate is checked. */
  readonly isTls: boolean;
  readonly token: string;
}

/** A path is absolute. */
export type BotAddress = string | TcpAddress;

/** Least characters of a token: as many as 128 random bits have in hex. */
const SHORTEST_TOKEN = 32;
/** A token is one line of visible ASCII, so that it survives environment variables and files. */
const TOKEN = new RegExp(`^[\\x21-\\x7e]{${SHORTEST_TOKEN},1000}$`);

/** @param field where it stands @throws InputFault for a token that is too short, without showing it */
export function checkToken(token: string, field: string): string {
  if (TOKEN.test(token)) return token;
  const expected = `a token of ${SHORTEST_TOKEN} to 1000 visible ASCII characters: make one with \`openssl rand -hex 32\``;
  throw new InputFault(field, undefined, expected);
}

/** @param text `tcp://host:port` or `tls://host:port`. @throws InputFault that never shows more of the text than host and port */
export function parseTcpAddress(text: string, field: string): Omit<TcpAddress, 'token'> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isTls = url?.protocol === 'tls:';
  const isKnown = isTls || url?.protocol === 'tcp:';
  if (url === undefined || !isKnown || url.hostname === '' || !(Number(url.port) > 0)) {
    throw new InputFault(field, undefined, 'tcp://<host>:<port> or tls://<host>:<port>, the port from 1 to 65535');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname.length > 1) {
    throw new InputFault(
      field,
      `${url.protocol}//${url.host}`,
      'only a host and a port: give the token with --token-env',
    );
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port), isTls };
}

/** As it is shown, without the token. */
export function addressText(address: BotAddress): string {
  if (typeof address === 'string') return address;
  const { host, port, isTls } = address;
  return `${isTls ? 'tls' : 'tcp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
