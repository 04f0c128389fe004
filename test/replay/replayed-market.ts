import { createHash } from 'node:crypto';
import { epochMs, marketId, microShares, microUsd, SHARE, unchecked } from '../../src/domain/index.ts';
import { type BookOptions, Exchange, type ExchangeSink, type OrderTerms } from '../../src/exchange/index.ts';
import { OutsideFlow } from '../../src/replay/outside-flow.ts';
import { riskAverseQueue } from '../../src/replay/queue.ts';
import { Replay, type ReplayModels } from '../../src/replay/replay.ts';
import { ReplayBook } from '../../src/replay/replay-book.ts';

const MARKET = unchecked.market(0);
export const [BID, ASK] = [0, 1];
export const CASH = 1_000_000_000;

type OrderOptions = Partial<Pick<OrderTerms, 'timeInForce' | 'postOnly' | 'selfTrade' | 'group'>>;

/** One replayed market on an exchange with several accounts. */
export class ReplayedMarket {
  readonly exchange: Exchange;
  readonly book: ReplayBook;
  readonly flow: OutsideFlow;
  reported: string[] = [];
  time = 1_000;
  readonly #accounts: number;
  readonly #sink: ExchangeSink = {
    accepted: () => {},
    traded: (_seq, _market, maker, taker, price, shares) =>
      this.reported.push(`${maker}<${taker} ${shares / SHARE} @ ${price}`),
    reduced: () => {},
    closed: (_seq, order, unfilled, reason) => this.reported.push(`${order} ${reason} ${unfilled / SHARE}`),
    rareEvent: () => {},
    refused: (_entry, { reason }) => this.reported.push(reason),
    duplicate: () => {},
  };

  constructor(accounts: number, liquidity: ReplayModels['liquidity'] = 'consumed') {
    const replay = new Replay({ queue: riskAverseQueue(), liquidity, tradesOnly: undefined });
    const books: ReplayBook[] = [];
    const flows: OutsideFlow[] = [];
    const make = (options: BookOptions): ReplayBook => {
      const book = new ReplayBook(options, { type: 'tick', tickBps: 10 }, replay);
      books.push(book);
      flows.push(new OutsideFlow(book, replay, options.sink, options.tape));
      return book;
    };
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    this.exchange = new Exchange({ sha256, books: make });
    this.#accounts = accounts;
    const time = epochMs(1);
    const names = Array.from({ length: accounts }, (_, at) => `maker ${at + 1}`);
    for (const address of [...names, 'outside']) {
      this.exchange.apply({ type: 'openAccount', time, address, unlimited: address === 'outside' }, this.#sink);
    }
    this.exchange.tape.account = accounts + 1;
    for (let account = 1; account <= accounts; account += 1) {
      const amount = microUsd(CASH);
      this.exchange.apply({ type: 'transfer', time, account: unchecked.account(account), amount }, this.#sink);
    }
    const requests = { time, account: unchecked.account(1), credential: unchecked.credential(0) };
    this.exchange.apply(
      {
        type: 'createMarket',
        ...requests,
        id: marketId('00000000-0000-4000-8000-000000000000'),
        question: 'which?',
        rules: 'none',
        description: undefined,
        categorySlug: 'test',
        topicSlugs: [],
        resolutionDate: epochMs(1e12),
        tickBps: 10,
        feeRateBps: 200,
        minOrderShares: undefined,
        eventId: undefined,
        initialOrder: undefined,
        restriction: undefined,
      },
      this.#sink,
    );
    const step = { step: 'DEPLOY', attempt: 1, transactionHash: '' } as const;
    this.exchange.apply({ type: 'chainConfirmed', time, market: MARKET, note: '', ...step }, this.#sink);
    const [book, flow] = [books[0], flows[0]];
    if (book === undefined || flow === undefined) throw new Error('no market was created');
    this.book = book;
    this.flow = flow;
  }

  group(account: number, maxFilled: number): void {
    const requests = {
      time: epochMs(this.time),
      account: unchecked.account(account),
      credential: unchecked.credential(0),
    };
    const window = unchecked.duration(60_000);
    this.exchange.apply(
      { type: 'createGroup', ...requests, maxFilled: microShares(maxFilled * SHARE), window },
      this.#sink,
    );
  }

  level(side: number, price: number, shares: number): void {
    this.book.outside.set(side, price, shares * SHARE);
  }

  /** `bid` buys YES, `ask` buys NO; prices in YES terms. */
  place(account: number, side: 'bid' | 'ask', shares: number, price: number, options: OrderOptions = {}): string[] {
    this.time += 1;
    const time = epochMs(this.time);
    this.exchange.apply(
      {
        type: 'place',
        time,
        account: unchecked.account(account),
        credential: unchecked.credential(0),
        market: MARKET,
        outcome: side === 'bid' ? 'YES' : 'NO',
        side: 'BUY',
        price: unchecked.price(side === 'bid' ? price : 10_000 - price),
        shares: microShares(shares * SHARE),
        timeInForce: 'GTC',
        postOnly: false,
        expiration: 0,
        timestampMs: time,
        epoch: 0,
        maxFeeBps: 1_000,
        replaces: 0,
        selfTrade: 'CANCEL_TAKER',
        group: unchecked.group(0),
        restriction: undefined,
        hash: undefined,
        clientOrderId: undefined,
        ...options,
      },
      this.#sink,
    );
    return this.reported.splice(0);
  }

  /** A recorded print by a taker of `side`. */
  print(side: number, shares: number, price: number): string[] {
    this.step(() => this.flow.applyPrint(side, price, shares * SHARE));
    return this.reported.splice(0);
  }

  step(change: () => void): void {
    this.time += 1;
    this.exchange.tape.begin(epochMs(this.time), this.#sink);
    change();
    this.exchange.tape.end();
  }

  /** Sum over all accounts and unassigned money, which equals the deposits. */
  get sum(): number {
    const { view } = this.exchange;
    let sum = view.collateral(0) + view.fees;
    for (let account = 1; account <= this.#accounts + 1; account += 1) {
      const { available = 0, reserved = 0 } = view.account(account) ?? {};
      sum += available + reserved;
    }
    return sum;
  }
}
