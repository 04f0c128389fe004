/** A venue with both APIs, Polymarket's official client, and sockets of the two channels. */
import { type ApiKeyCreds, ClobClient, type SignatureTypeV2 } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { WebSocket } from 'ws';
import type { VenueOptions } from '../../../src/embed.ts';
import { afterThisTest } from '../../cleanup.ts';
import { type LiveVenue, openLiveVenue } from '../live-venue.ts';

export interface Client {
  readonly client: ClobClient;
  readonly creds: ApiKeyCreds;
  /** Lower case. */
  readonly address: string;
}

export interface PolymarketHarness {
  readonly venue: LiveVenue;
  /** Base URL of the Polymarket API. */
  readonly url: string;
  readonly condition: string;
  /** Tokens of the open market. */
  readonly yes: string;
  readonly no: string;
  /** Creates a client with an API key for private key `no`. */
  join(no: number, wallet?: { readonly type: SignatureTypeV2; readonly address: string }): Promise<Client>;
  /** Creates a client without an API key. */
  stranger(no: number): ClobClient;
  channel(name: 'market' | 'user', first: object): Promise<Channel>;
}

/** A socket of a channel, with all events received so far. */
export interface Channel {
  readonly socket: WebSocket;
  readonly events: Event[];
  send(message: object | string): void;
  /** Returns the first event that matches, or waits for it. */
  next(matches: (event: Event) => boolean): Promise<Event>;
  close(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: events of any kind
type Event = any;

const WAIT_MS = 10_000;

function keyText(no: number): `0x${string}` {
  return `0x${no.toString(16).padStart(64, '5')}`;
}

/** Opens a venue without rate limits unless `polymarket.tier` is given. Trades are confirmed after 100 ms. */
export async function openPolymarket(options: VenueOptions = {}): Promise<PolymarketHarness> {
  const venue = await openLiveVenue({
    ...options,
    polymarket: { tier: undefined, minedMs: 50, confirmedMs: 50, ...options.polymarket },
  });
  const url = `${venue.url}/polymarket`;
  const page = await new ClobClient({ host: url, chain: 137 }).getMarkets();
  const [market] = page.data;
  if (market === undefined) throw new Error('the venue lists no market');
  const stranger = (no: number): ClobClient => new ClobClient({ host: url, chain: 137, signer: signerOf(no) });
  return {
    venue,
    url,
    condition: market.condition_id,
    yes: market.tokens[0].token_id,
    no: market.tokens[1].token_id,
    stranger,
    async join(no, wallet) {
      const creds = await stranger(no).createOrDeriveApiKey();
      const funder = wallet === undefined ? {} : { signatureType: wallet.type, funderAddress: wallet.address };
      const client = new ClobClient({
        host: url,
        chain: 137,
        signer: signerOf(no),
        creds,
        throwOnError: true,
        ...funder,
      });
      return { client, creds, address: privateKeyToAccount(keyText(no)).address.toLowerCase() };
    },
    channel: (name, first) => openChannel(`${url.replace('http', 'ws')}/ws/${name}`, first),
  };
}

function signerOf(no: number) {
  const account = privateKeyToAccount(keyText(no));
  return createWalletClient({ account, chain: polygon, transport: http('http://127.0.0.1:1') });
}

async function openChannel(url: string, first: object): Promise<Channel> {
  const socket = new WebSocket(url);
  const events: Event[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    const text = String(data);
    const json: unknown = text === 'PONG' ? { event_type: 'PONG' } : JSON.parse(text);
    events.push(...(Array.isArray(json) ? json : [json]));
    for (const check of waiting) check();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const send = (message: object | string): void =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  send(first);
  return {
    socket,
    events,
    send,
    close: () => socket.close(),
    next: (matches) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`no matching event among ${JSON.stringify(events)}`));
        }, WAIT_MS);
        const check = (): void => {
          const found = events.find((event) => matches(event));
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Opens a venue that closes after the test. */
export async function openForTest(options: VenueOptions = {}): Promise<PolymarketHarness> {
  const harness = await openPolymarket(options);
  afterThisTest.add(() => harness.venue.close());
  return harness;
}

/** Opens the client's user channel and waits until it replies. */
export async function userChannel(harness: PolymarketHarness, { creds }: Client): Promise<Channel> {
  const auth = { apiKey: creds.key, secret: creds.secret, passphrase: creds.passphrase };
  const channel = await harness.channel('user', { type: 'user', auth });
  channel.send('PING');
  await channel.next(({ event_type: type }) => type === 'PONG');
  return channel;
}
