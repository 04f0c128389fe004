/**
 * A simulated venue for the warm-up, built from the components of a real one. Frames become rows. Commands become
 * signed, recorded and encoded orders. The account stream reports their events.
 *
 * Invariant: nothing leaves this process. The venue has no timers, signs with a throwaway key, and sends requests to a
 * loopback or drops them.
 */
import { BOOK_SIDE, bookChecksum, formatChecksum, Ladder } from '../../../book/index.ts';
import type { Clock } from '../../../clock/index.ts';
import {
  formatTime,
  MAX_FEE_BPS,
  type MarketInfo,
  type OrderCommand,
  type PlaceOrder,
  SHARE,
  unchecked,
} from '../../../domain/index.ts';
import { OPERATIONS } from '../../../protocol/index.ts';
import type { OrderRecords, Venue, VenueSession, VenueSink } from '../../../runtime/index.ts';
import type { SignedMessages, Signer, SigningKey } from '../../../signing/index.ts';
import type { AccountView, MarketSetup } from '../../../state/index.ts';
import { ClockOffset, PrintFlusher, RecentKeys, RowWriter, saltSecret, Timers, VenueOrders } from '../../base/index.ts';
import { BookFeedHandler } from '../market-data/book-feed-handler.ts';
import { toVenueTerms } from '../market-data/venue-terms.ts';
import { ExecutionClient } from '../orders/execution-client.ts';
import type { ClientDeps } from '../orders/execution-deps.ts';
import { OrderSigner } from '../orders/order-signer.ts';
import { addRequest, ClientFrame, requestHead } from '../transport/client-frame.ts';
import type { OperationTexts } from '../transport/index.ts';

export interface WarmupVenueOptions {
  /** A clock whose timers never fire. */
  readonly clock: Clock;
  readonly market: MarketSetup;
  readonly signer: Signer;
  readonly messages: SignedMessages;
  readonly key: SigningKey;
  readonly operations: OperationTexts;
  readonly records: OrderRecords;
  readonly view: AccountView;
  /** Receives the requests; undefined to drop the requests. */
  readonly loopback: FrameOutput | undefined;
}

const MAX_ORDERS = 20;
/** Built by `toVenueTerms`, so that V8 sees the same object shape as for a real venue. */
const TERMS = toVenueTerms(
  'NORMAL',
  {
    minBetCents: 0,
    spreadBps: 0,
    feeRateBps: 0,
    maxBatchOrders: MAX_ORDERS,
    maxBatchCancels: MAX_ORDERS,
    minHeartbeatMs: 0,
    maxHeartbeatMs: 0,
    maxClockSkewMs: 0,
  },
  { maxBetPerMarketCents: 0, maxExposurePerMarketCents: 0, tickSizeBps: 0 },
);

export class WarmupVenue implements Venue {
  readonly #clock: Clock;
  readonly #book: WarmupBook;
  readonly #handler: BookFeedHandler;
  readonly #orders = new VenueOrders();
  readonly #rows: RowWriter;
  readonly #client: ExecutionClient;
  #sink: VenueSink | undefined;
  #seq = 0;
  #placed: PlaceOrder[] = [];

  constructor({ clock, market, signer, messages, key, operations, records, view, loopback }: WarmupVenueOptions) {
    this.#clock = clock;
    this.#book = new WarmupBook(market.info);
    const ignore = (): void => {};
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const transport = warmupTransport(operations, loopback);
    const rows = new RowWriter();
    this.#rows = rows;
    this.#handler = new BookFeedHandler(market, {
      rows,
      clock,
      log,
      offset: transport.offset,
      staleMs: Number.POSITIVE_INFINITY,
      orders: this.#orders,
      trades: new RecentKeys(MAX_ORDERS),
      flusher: new PrintFlusher(this.#orders),
      owner: {
        onBookLost(_handler, problem) {
          throw new Error(`Invariant: the book of a warm-up: ${problem}`);
        },
        onFailed(error) {
          throw error;
        },
      },
    });
    this.#orders.attach(market.info.market, this.#handler);
    const deps: ClientDeps = {
      transport,
      records,
      view,
      clock,
      log,
      timers: new Timers(clock),
      settleMs: 0,
      orders: this.#orders,
      signer: new OrderSigner({
        signer,
        key,
        orders: messages.order,
        maker: key.address,
        saltSecret: saltSecret(signer, key),
        maxFeeBps: MAX_FEE_BPS,
      }),
      terms: () => TERMS,
      report: (event, position) => this.#sink?.event(event, position),
      onPositionPassed: (position) => records.advanceStreamPosition(position),
      onProblem: ignore,
    };
    this.#client = new ExecutionClient(deps, { silenceMs: 0, onDesync: ignore, onFault: ignore });
  }

  async connect(sink: VenueSink): Promise<VenueSession> {
    this.#sink = sink;
    this.#rows.sink = sink;
    this.#onFrame(this.#book.snapshot(formatTime(this.#clock.now()), this.#nextSeq()));
    return {
      send: (commands) => this.#send(commands),
      close: async () => {
        this.#sink = undefined;
      },
    };
  }

  /** Sends one book frame, then the events of the resulting orders. @returns number of these orders */
  runOnce(): number {
    this.#onFrame(this.#book.nextDelta(formatTime(this.#clock.now()), this.#nextSeq()));
    const placed = this.#placed;
    this.#placed = [];
    for (const { order, shares } of placed) {
      const sent = this.#orders.byNumber(order);
      if (sent === undefined) throw new Error(`Invariant: order ${order} of a warm-up was not sent`);
      const at = this.#clock.now();
      this.#client.reporter.onEvent({ kind: 'ACCEPTED', seq: this.#nextSeq(), at, hash: sent.hash, remaining: shares });
    }
    return placed.length;
  }

  #onFrame(frame: Buffer): void {
    this.#handler.onBookEvent(JSON.parse(frame.toString()).payload.data.orderBookUpdated);
  }

  #send(commands: readonly OrderCommand[]): void {
    this.#client.send(commands);
    for (const command of commands) {
      if (command.type === 'place') this.#placed.push(command);
      else if (command.type === 'replace') this.#placed.push(...command.places);
    }
  }

  #nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }
}

const STEP_BPS = 100;
const LEVELS = 10;
const BID_BPS = 4_500;
const ASK_BPS = 5_500;
const SHARES = 25;
/** Number of deltas in which the best ask appears and disappears once. */
const ASK_PERIOD = 4;

/**
 * Generates frames of a synthetic book with ten fixed levels per side. The best bid changes with each delta, the best
 * ask twice in four deltas.
 */
class WarmupBook {
  readonly #ladder: Ladder;
  readonly #marketId: string;
  #seq = 0;
  #deltaCount = 0;

  constructor({ id, grid }: Pick<MarketInfo, 'id' | 'grid'>) {
    this.#marketId = id;
    this.#ladder = Ladder.forGrid(grid);
  }

  snapshot(at: string, seq: number): Buffer {
    const distances = Array.from({ length: LEVELS }, (_, level) => STEP_BPS * (level + 1));
    const bids = distances.map((distance) => this.#level(BOOK_SIDE.bid, BID_BPS - distance, SHARES));
    const asks = distances.map((distance) => this.#level(BOOK_SIDE.ask, ASK_BPS + distance, SHARES));
    return this.#frame('SNAPSHOT', at, seq, bids, asks);
  }

  nextDelta(at: string, seq: number): Buffer {
    this.#deltaCount += 1;
    const shares = this.#deltaCount % 2 === 1 ? SHARES : 0;
    const bids = [this.#level(BOOK_SIDE.bid, BID_BPS, shares)];
    const hasAsk = this.#deltaCount % ASK_PERIOD < 2;
    const asks = hasAsk ? [this.#level(BOOK_SIDE.ask, ASK_BPS, this.#deltaCount % ASK_PERIOD === 1 ? SHARES : 0)] : [];
    return this.#frame('DELTA', at, seq, bids, asks);
  }

  #level(side: 0 | 1, priceBps: number, shares: number) {
    this.#ladder.set(side, unchecked.price(priceBps), unchecked.shares(shares * SHARE));
    return { priceBps, shares };
  }

  #frame(kind: string, at: string, seq: number, bids: readonly object[], asks: readonly object[]): Buffer {
    const prevSeq = String(this.#seq);
    this.#seq = seq;
    const checksum = formatChecksum(bookChecksum(this.#ladder));
    const orderBookUpdated = { kind, marketId: this.#marketId, seq: String(seq), prevSeq, checksum, at, bids, asks };
    return Buffer.from(JSON.stringify({ id: '1', type: 'next', payload: { data: { orderBookUpdated } } }));
  }
}

interface FrameOutput {
  /** @returns whether the caller may reuse the bytes */
  write(frame: Uint8Array): boolean;
}

/** Returns a transport without a venue. `send` encodes requests for the loopback. All other calls throw. */
export function warmupTransport(
  operations: OperationTexts,
  loopback: FrameOutput | undefined,
): ClientDeps['transport'] {
  const head = requestHead(operations.textOf(OPERATIONS.replaceOrders));
  const frame = new ClientFrame();
  let lastId = 0;
  return {
    offset: new ClockOffset(),
    send(_operation, variables) {
      lastId += 1;
      addRequest(frame, String(lastId), { head, variables });
      const bytes = frame.finish();
      if (loopback?.write(bytes) === false) frame.release();
      return true;
    },
    query: throwUnexpectedRequest,
    mutate: throwUnexpectedRequest,
    subscribe: throwUnexpectedRequest,
    renew: throwUnexpectedRequest,
  };
}

function throwUnexpectedRequest(): never {
  throw new Error('Invariant: a warm-up makes no other request');
}
