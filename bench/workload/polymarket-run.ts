/** Signed orders through the Polymarket API of a whole server on a database file, in a child process. */
import { createHmac } from 'node:crypto';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import {
  l2SecretBytes,
  l2Signature,
  POLYMARKET_CONTRACTS,
  polymarketOrderText,
} from '../../src/protocol/polymarket/index.ts';
import { polymarketOrders, polymarketSignIns, type SigningKey } from '../../src/signing/index.ts';
import { keyOf, openSigningTools, type SigningTools } from '../../test/server/trader.ts';
import { sendOverHttp } from './order-load.ts';
import { AHEAD, CONNECTIONS, TRADERS } from './order-run.ts';
import { type OrderRate, VenueProcess } from './venue-process.ts';

const CHAIN = 137;
const CONTRACT = POLYMARKET_CONTRACTS[CHAIN]?.exchangeV2 ?? '0x';
const NO_BYTES = `0x${'0'.repeat(64)}` as const;

interface Credentials {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** A server with one open market. */
export class PolymarketHarness {
  readonly #venue: VenueProcess;
  readonly #tools: SigningTools;
  readonly #tokens: readonly string[];
  readonly #random = seededRandom(1);
  #salt = 0;

  private constructor(venue: VenueProcess, tools: SigningTools, tokens: readonly string[]) {
    this.#venue = venue;
    this.#tools = tools;
    this.#tokens = tokens;
  }

  static async open(): Promise<PolymarketHarness> {
    const venue = await VenueProcess.open(['polymarket']);
    await venue.openMarkets(1);
    const page = await (await fetch(`${venue.url}/polymarket/markets`)).json();
    const tokens: string[] = Object(page).data[0].tokens.map((token: { token_id: string }) => token.token_id);
    return new PolymarketHarness(venue, await openSigningTools(), tokens);
  }

  /** Signs and sends orders, and waits for all responses. */
  async run(orders: number): Promise<OrderRate> {
    const loads: (readonly Buffer[])[] = [];
    for (let trader = 0; trader < TRADERS; trader += 1) loads.push(await this.#signed(orders / TRADERS));
    const load = { port: this.#venue.port, connections: CONNECTIONS / TRADERS, ahead: AHEAD, ordersEach: 1 };
    const send = (requests: readonly Buffer[]) => sendOverHttp(requests, { ...load, accepted: '"success":true' });
    return this.#venue.measureRate(orders, () => Promise.all(loads.map(send)));
  }

  close(): Promise<void> {
    return this.#venue.close();
  }

  /** Signs orders of a new trader. They buy YES and NO, so that some rest and some match. */
  async #signed(count: number): Promise<readonly Buffer[]> {
    const { signer } = this.#tools;
    const key = keyOf(this.#tools, this.#salt + 1);
    const credentials = await this.#logIn(key);
    const orders = polymarketOrders(signer, { chainId: CHAIN, version: '2', verifyingContract: CONTRACT });
    const now = wallClock().now();
    return Array.from({ length: count }, () => {
      this.#salt += 1;
      const shares = 5 + this.#random.int(5);
      const message = {
        salt: BigInt(this.#salt),
        maker: key.address,
        signer: key.address,
        tokenId: BigInt(this.#tokens[this.#random.int(2)] ?? ''),
        makerAmount: BigInt(shares * (30 + this.#random.int(30)) * 10_000),
        takerAmount: BigInt(shares * 1_000_000),
        side: 'BUY' as const,
        signatureType: 0,
        timestamp: BigInt(now),
        metadata: NO_BYTES,
        builder: NO_BYTES,
      };
      const order = { ...message, expiration: 0, signature: orders.sign(message, key).signature };
      const { apiKey: owner } = credentials;
      const body = polymarketOrderText({ deferExec: false, postOnly: false, order, owner, orderType: 'GTC' });
      return createRequest(body, key.address, credentials, String(Math.floor(now / 1_000)));
    });
  }

  async #logIn(key: SigningKey): Promise<Credentials> {
    const timestamp = String(Math.floor(wallClock().now() / 1_000));
    const signIns = polymarketSignIns(this.#tools.signer, CHAIN);
    const headers = {
      POLY_ADDRESS: key.address,
      POLY_SIGNATURE: signIns.sign({ address: key.address, timestamp, nonce: 0n }, key),
      POLY_TIMESTAMP: timestamp,
      POLY_NONCE: '0',
    };
    const answer = await fetch(`${this.#venue.url}/polymarket/auth/api-key`, { method: 'POST', headers });
    if (!answer.ok) throw new Error(`no API key: ${await answer.text()}`);
    return Object(await answer.json());
  }
}

function createRequest(body: string, address: string, credentials: Credentials, timestamp: string): Buffer {
  const { apiKey, secret, passphrase } = credentials;
  const signature = l2Signature({ timestamp, method: 'POST', path: '/order', body }, (text) =>
    createHmac('sha256', l2SecretBytes(secret)).update(text).digest('base64'),
  );
  return Buffer.from(
    'POST /polymarket/order HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n' +
      `POLY_ADDRESS: ${address}\r\nPOLY_SIGNATURE: ${signature}\r\nPOLY_TIMESTAMP: ${timestamp}\r\n` +
      `POLY_API_KEY: ${apiKey}\r\nPOLY_PASSPHRASE: ${passphrase}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
