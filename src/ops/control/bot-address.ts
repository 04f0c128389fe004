import { InputFault } from '../../domain/index.ts';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  /** Whether a proxy in front of the bot ends TLS; its certificate is checked. */
  readonly isTls: boolean;
  readonly token: string;
}

/** The absolute path of a control socket, or a TCP port. */
export type BotAddress = string | TcpAddress;

/** Characters of 128 random bits in hex. */
const SHORTEST_TOKEN = 32;
/** Visible ASCII, which environment variables and files keep unchanged. */
const TOKEN = new RegExp(`^[\\x21-\\x7e]{${SHORTEST_TOKEN},1000}$`);

/** @param field names the token in the error. @throws InputFault for an invalid token, without showing it */
export function checkToken(token: string, field: string): string {
  if (TOKEN.test(token)) return token;
  const expected = `a token of ${SHORTEST_TOKEN} to 1000 visible ASCII characters: make one with \`openssl rand -hex 32\``;
  throw new InputFault(field, undefined, expected);
}

/** @param text `tcp://host:port` or `tls://host:port`. @throws InputFault that shows at most host and port */
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

/** The address for people, without the token. */
export function addressText(address: BotAddress): string {
  if (typeof address === 'string') return address;
  const { host, port, isTls } = address;
  return `${isTls ? 'tls' : 'tcp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
