/** The login over the bot's transport, and over the HTTP client of the kill switch, the doctor and `--venue`. */
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { seededRandom, wallClock } from '../../../../src/clock/index.ts';
import { logIn, VenueHttp } from '../../../../src/ops/index.ts';
import { LOGIN_STATEMENT, type LoginMessage } from '../../../../src/signing/index.ts';
import { type LoginPins, login, readSession, transportChannel } from '../../../../src/venues/service/account/login.ts';
import {
  createTransport,
  OperationTexts,
  parseEndpoint,
  type Transport,
} from '../../../../src/venues/service/transport/index.ts';
import { keyOf, openSigningTools, pinsOf } from '../../../server/trader.ts';
import { Harness, SILENT } from '../harness.ts';

const AUDIENCE = 'https://venue.example';
const MINUTE = 60_000;

const tools = await openSigningTools();
const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Both ways to log in; each returns the access token. */
const LOGINS = [
  [
    "the bot's transport",
    async (url: string, pins: LoginPins) => {
      const { accessToken } = await login(transportChannel(transportTo(url)), keyOf(tools, 1), pins);
      return accessToken;
    },
  ],
  [
    'the HTTP client',
    (url: string, pins: LoginPins) => {
      return logIn(new VenueHttp({ url, clock: wallClock() }), { key: keyOf(tools, 1) }, pins);
    },
  ],
] as const;

function transportTo(url: string): Transport {
  const transport = createTransport({
    endpoint: parseEndpoint({ url }),
    operations: new OperationTexts(),
    clock: wallClock(),
    log: SILENT,
    random: seededRandom(1),
    settings: { timeoutMs: 2_000, retries: 0 },
  });
  closing.push(() => transport.close());
  return transport;
}

interface Forgery {
  /** Changes to the message to be signed. */
  readonly message?: (valid: LoginMessage) => Partial<LoginMessage>;
  /** Members that replace those of the typed data. */
  readonly typedData?: object;
  /** Members that replace those of the challenge. */
  readonly challenge?: object;
}

/** Starts a venue with a forged challenge. @returns its URL and the bodies of all requests */
async function forgingVenue({ message = () => ({}), typedData, challenge }: Forgery) {
  const bodies: string[] = [];
  const now = Date.now();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      const nonce = `0x${'ab'.repeat(32)}` as const;
      const valid: LoginMessage = {
        account: keyOf(tools, 1).address,
        audience: AUDIENCE,
        statement: LOGIN_STATEMENT,
        nonce,
        issuedAt: now,
        expiresAt: now + 5 * MINUTE,
      };
      const offered = { ...tools.messages.login.typedData({ ...valid, ...message(valid) }), ...typedData };
      const authChallenge = { nonce, typedData: offered, expiresAt: iso(now + 5 * MINUTE), ...challenge };
      const createSession = { accessToken: 'token', refreshToken: 'refresh', expiresAt: iso(now + 15 * MINUTE) };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: body.includes('CreateSession') ? { createSession } : { authChallenge } }));
    });
  });
  return { url: await listening(server), bodies };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

const FORGERIES: readonly (readonly [string, string, Forgery])[] = [
  ['another audience', 'message.audience', { message: () => ({ audience: 'https://other.example' }) }],
  ['another account', 'message.account', { message: () => ({ account: `0x${'12'.repeat(20)}` }) }],
  ['another statement', 'message.statement', { message: () => ({ statement: 'I agree to pay.' }) }],
  ['line breaks', 'message.statement', { message: () => ({ statement: `${LOGIN_STATEMENT}\nAnd I agree to pay.` }) }],
  ['a hidden character', 'message.statement', { message: () => ({ statement: `${LOGIN_STATEMENT}\u202e` }) }],
  ['a nonce that differs from the challenge', 'message.nonce', { message: () => ({ nonce: `0x${'cd'.repeat(32)}` }) }],
  ['no nonce', 'message.nonce', { challenge: { nonce: null } }],
  [
    'a validity of one day',
    'message.expiresAt',
    {
      message: ({ issuedAt }) => ({ expiresAt: Number(issuedAt) + 1_440 * MINUTE }),
      challenge: { expiresAt: iso(Date.now() + 1_440 * MINUTE) },
    },
  ],
  [
    'an expiry that differs from the challenge',
    'message.expiresAt',
    { message: ({ expiresAt }) => ({ expiresAt: Number(expiresAt) + 1 }) },
  ],
  ['an expiry that is not a time', 'message.expiresAt', { challenge: { expiresAt: 'tomorrow' } }],
  ['an expiry beyond 2^53', 'message.expiresAt', { message: () => ({ expiresAt: 2n ** 63n }) }],
  ['an expiry before the issue', 'message.expiresAt', withTimes(-MINUTE, -2 * MINUTE)],
  ['an issue an hour ago', 'message.issuedAt', withTimes(-60 * MINUTE, -55 * MINUTE)],
  ['an issue in an hour', 'message.issuedAt', withTimes(60 * MINUTE, 65 * MINUTE)],
  ['another chain', 'domain.chainId', { typedData: { domain: { ...domain(), chainId: 1 } } }],
  ['another domain', 'domain.name', { typedData: { domain: { ...domain(), name: 'Permit' } } }],
  ['a contract', 'domain.verifyingContract', { typedData: { domain: { ...domain(), verifyingContract: '0x1' } } }],
  ['another type', 'primaryType', { typedData: { primaryType: 'Order' } }],
  ['an additional type', 'types.Permit', { typedData: { types: { ...types(), Permit: [] } } }],
];

function domain() {
  return { name: 'Prediction Market Login', version: '1', chainId: 31_337 };
}

function types() {
  const fields = [
    ...['address account', 'string statement', 'string audience', 'bytes32 nonce'],
    ...['uint64 issuedAt', 'uint64 expiresAt'],
  ];
  const named = (list: readonly string[]) =>
    list.map((field) => ({ name: field.split(' ')[1], type: field.split(' ')[0] }));
  return {
    EIP712Domain: named(['string name', 'string version', 'uint256 chainId']),
    Login: named(fields),
  };
}

/** A consistent challenge with other times. @param from issue, ms from now @param to expiry, ms from now */
function withTimes(from: number, to: number): Forgery {
  const now = Date.now();
  return {
    message: () => ({ issuedAt: now + from, expiresAt: now + to }),
    challenge: { expiresAt: iso(now + to) },
  };
}

describe.each(LOGINS)('a login over %s', (_, logIn) => {
  it('succeeds at a venue that offers the expected terms', async () => {
    expect(await logIn(harness.url, pinsOf(harness.tools, harness.url))).not.toBe('');
    const { url, bodies } = await forgingVenue({});
    expect(await logIn(url, pinsOf(tools, AUDIENCE))).toBe('token');
    expect(bodies).toHaveLength(2);
  });

  it.each(FORGERIES)('refuses to sign %s, and the error names %s', async (_forgery, field, forgery) => {
    const { url, bodies } = await forgingVenue(forgery);
    await expect(logIn(url, pinsOf(tools, AUDIENCE))).rejects.toMatchObject({
      code: 'LOGIN',
      message: expect.stringContaining(`login, ${field} is`),
    });
    expect(bodies).toHaveLength(1);
  });

  it.each([null, 'challenge', 7, [], {}, { typedData: null, nonce: '0x' }, { typedData: { message: [] } }])(
    'refuses to sign the challenge %j',
    async (challenge) => {
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data: { authChallenge: challenge } }));
      });
      const url = await listening(server);
      await expect(logIn(url, pinsOf(tools, AUDIENCE))).rejects.toMatchObject({ code: 'LOGIN' });
    },
  );

  it('fails with BLOCKED when the server is not a venue', async () => {
    const url = await listening(
      createServer((_request, response) => void response.writeHead(403).end('<html>no</html>')),
    );
    await expect(logIn(url, pinsOf(tools, AUDIENCE))).rejects.toMatchObject({ code: 'BLOCKED' });
  });
});

describe('a session', () => {
  const good = { accessToken: 'access', refreshToken: 'refresh', expiresAt: '2026-03-01T12:00:00Z' };

  it('has both tokens and their expiry', () => {
    expect(readSession(good)).toEqual({ ...good, expiresAt: Date.UTC(2026, 2, 1, 12) });
  });

  it.each([
    null,
    {},
    { ...good, accessToken: '' },
    { ...good, accessToken: 'two\r\nlines: 1' },
    { ...good, accessToken: 'x'.repeat(4_097) },
    { ...good, refreshToken: null },
    { ...good, expiresAt: 1_700_000_000 },
    { ...good, expiresAt: 'soon' },
  ])('is refused when it is %j', (answer) => {
    expect(() => readSession(answer)).toThrow(expect.objectContaining({ code: 'LOGIN' }));
  });
});
