/**
 * The simulated venue without a clock. Processes recorded messages and own commands; outputs events and changed levels.
 *
 * Invariants (docs/spec/models.md#time-and-look-ahead, docs/spec/models.md#outside-flow, docs/spec/models.md#queue): a
 * message is one step: prints, then levels, then the crossing test, then the mark. A command is one step. Steps are in
 * the order of exchange time. The caller (`SimVenue` with a tape, `PaperVenue` with a live feed) owns clock, latency
 * and delivery.
 *
 * HOT: every row passes `processMessage` (bench/replay.ts). A row far from own orders costs an update and two compares.
 */
import type { MarketLimits, MarketNo, MicroUsd, OrderNo } from '../../domain/index.ts';
import { FULL_BPS, unchecked } from '../../domain/index.ts';
import type { ExchangeView, TapeEffects } from '../../exchange/index.ts';
import { Ledger } from '../../ledger/index.ts';
import { ANY_LEVEL_FLAG, Replay } from '../../replay/index.ts';
import { type Block, FLAG, KIND } from '../../tape/index.ts';
import type { QueuedCommand } from './command-latency-queue.ts';
import { Commission } from './commission.ts';
import { type BotEventSink, ExchangeEventTranslator } from './exchange-event-translator.ts';
import { aheadShares, findLastLevelRow, isOwnPrintNext } from './message-rows.ts';
import type { SimModels } from './options.ts';
import { RecordedMarketEvents } from './recorded-market-events.ts';
import { createReplayedExchange, type ReplayedExchange, type ReplayedMarket } from './replayed-exchange.ts';
import { SimCommandHandler } from './sim-command-handler.ts';
import type { SimMarket } from './sim-market.ts';
import { ReusedPrint, type SimObserver } from './sim-observer.ts';
import { TradeSettlement } from './trade-settlement.ts';
import { VenueCharges } from './venue-charges.ts';

export interface EngineOutput extends BotEventSink {
  /** The available size V of a level changed without a row in the current message. `side` is a row's `SIDE`. */
  onLevel(market: number, side: number, price: number, shares: number): void;
}

export interface EngineSetup {
  /** In the order of their numbers. */
  readonly markets: readonly ReplayedMarket[];
  readonly models: Pick<SimModels, 'queue' | 'fees' | 'liquidity' | 'tradesOnly' | 'settlement'>;
  readonly capital: MicroUsd;
  /** Limits of all markets. The fee model replaces their fee rate. */
  readonly limits: MarketLimits;
  readonly output: EngineOutput;
  readonly observer?: SimObserver;
}

export class SimEngine {
  /** The bot's account at exchange time, with marks and the split of P&L. The exchange holds the cash. */
  readonly ledger = new Ledger();
  readonly charges: VenueCharges;
  readonly exchange: ExchangeView;
  readonly #replayed: ReplayedExchange;
  readonly #markets: readonly SimMarket[];
  readonly #replay: Replay;
  readonly #tape: TapeEffects;
  readonly #events: ExchangeEventTranslator;
  readonly #settlement: TradeSettlement | undefined;
  readonly #output: EngineOutput;
  readonly #observer: SimObserver;
  readonly #commandHandler: SimCommandHandler;
  readonly #marketEvents: RecordedMarketEvents;
  readonly #print = new ReusedPrint();
  readonly #tradesOnly: boolean;
  readonly #wantsPrints: boolean;
  readonly #wantsMids: boolean;
  /** Earlier markets of the current message, because recordings of several markets may share messages. */
  readonly #otherMarkets: SimMarket[] = [];
  #isInStep = false;

  constructor({ markets, models, capital, limits, output, observer = {} }: EngineSetup) {
    const { fees, tradesOnly } = models;
    const replay = new Replay(models);
    const replayed = createReplayedExchange({ markets, replay, capital, limits, feeRateBps: fees.rateBps });
    const { ledger } = this;
    const settlement = models.settlement && new TradeSettlement(models.settlement, replayed, ledger);
    const charges = new VenueCharges(replayed, fees);
    this.charges = charges;
    this.exchange = replayed.exchange.view;
    const events = new ExchangeEventTranslator({ ...replayed, replay, ledger, output, observer, settlement, charges });
    const commission = new Commission({ replayed, ledger, events, fees });
    ledger.deposit(capital);
    this.#replayed = replayed;
    this.#markets = replayed.markets;
    this.#replay = replay;
    this.#tape = replayed.exchange.tape;
    this.#events = events;
    this.#settlement = settlement;
    this.#output = output;
    this.#observer = observer;
    this.#tradesOnly = tradesOnly !== undefined;
    this.#wantsPrints = observer.onPrint !== undefined;
    this.#wantsMids = observer.onRecordedMid !== undefined;
    const refusesTakers = tradesOnly !== undefined && tradesOnly.assumed_half_spread_bps === undefined;
    this.#commandHandler = new SimCommandHandler({ replayed, events, ledger, commission, refusesTakers });
    this.#marketEvents = new RecordedMarketEvents(replayed, commission);
  }

  get epoch(): number {
    return this.#events.epoch;
  }

  /** Time at which the next order expires or trade settles; Infinity without one. */
  get nextDeadline(): number {
    const expiry = this.exchange.nextDeadline ?? Number.POSITIVE_INFINITY;
    return this.#settlement === undefined ? expiry : Math.min(expiry, this.#settlement.nextTime);
  }

  /** Returns the outside micro-shares ahead of a bot's order by the queue model; undefined if it does not rest. */
  sharesAheadOf(order: OrderNo): number | undefined {
    const slot = this.#replayed.slots.find(this.#events.numbers.get(order));
    return slot === 0 ? undefined : this.#replay.positions.front[slot];
  }

  market(number: number): Readonly<SimMarket> | undefined {
    return this.#markets[number];
  }

  /** Opens a market under the next number, or changes the price grid of a known market. */
  addMarket(market: MarketNo, added: ReplayedMarket, time: number): void {
    this.#events.beginStep(time);
    this.#events.beginCommand(undefined, undefined);
    this.#replayed.addMarket(market, added, this.#events);
  }

  /**
   * Processes one recorded message, from row `from` to the row with the flag `last`. Rewrites levels that own takers
   * consumed to the available size V. The first row's `rx` must be the time at which the bot will receive the message.
   * @returns the row after the message
   * @throws RangeError if the block ends within the message, or names a market outside this run
   */
  processMessage(block: Block, from: number): number {
    const { market, kind, side, price, shares, flags, count } = block;
    this.#events.beginStep(block.tx[from]!);
    let current = this.#marketAt(market[from]!);
    for (let row = from; row < count; row += 1) {
      if (market[row] !== current.number) current = this.#switchTo(market[row]!, current);
      const kindOfRow = kind[row];
      if (kindOfRow === KIND.level) {
        const ladderSide = side[row]!;
        const levelPrice = price[row]!;
        if ((current.levelFlags.bits[levelPrice]! & (ANY_LEVEL_FLAG << ladderSide)) === 0)
          current.ladder.setFrom(ladderSide, levelPrice, shares, row);
        else this.#processFlaggedLevel(current, block, row);
      } else if (kindOfRow === KIND.trade) this.#processPrint(current, block, row);
      else if (kindOfRow !== KIND.ahead) {
        this.#ensureStep();
        if (kindOfRow === KIND.resolution) this.#settlement?.settleMarket(current.number, this.#events);
        const event = { kind: kindOfRow!, price: price[row]!, shares: shares[row]! };
        this.#marketEvents.apply(current, event, block.rx[from]!);
      }
      if ((flags[row]! & FLAG.last) !== 0) {
        this.#endMessage(current, block, from, row + 1);
        return row + 1;
      }
    }
    throw new RangeError(`Invariant: a block ends inside of the message at ${block.tx[from]}`);
  }

  /** Executes one own command at its arrival. @param time exchange time */
  execute({ command, epoch, stopCount }: QueuedCommand, time: number): void {
    const market = command.type === 'cancelAll' ? undefined : this.#markets[command.market];
    this.#events.beginStep(time);
    this.#replay.now = this.#events.now;
    const isInterrupted = market !== undefined && market.stopCount !== stopCount;
    this.#commandHandler.handle(command, { isStale: epoch < this.#events.epoch, isInterrupted });
    this.#settleStep();
    if (this.#replay.changes.length === 0) return;
    if (market !== undefined) this.#endMarketStep(market);
    this.#endStep();
    this.#publish();
  }

  /** Closes expired orders and settles due trades. @param time `nextDeadline` */
  processDeadline(time: number): void {
    this.#events.beginStep(time);
    this.#commandHandler.expire();
    if (this.#settlement === undefined) return;
    this.#ensureStep();
    this.#settlement.settleDue(time, this.#events);
    this.#events.settleStep();
    this.#endStep();
  }

  #settleStep(): void {
    if (!this.#events.needsSettleStep) return;
    this.#ensureStep();
    this.#events.settleStep();
    this.#endStep();
  }

  /** Begins a step of the tape on the exchange, until `#endStep`. */
  #ensureStep(): void {
    if (this.#isInStep) return;
    this.#isInStep = true;
    this.#tape.begin(this.#events.now, this.#events);
  }

  #endStep(): void {
    if (!this.#isInStep) return;
    this.#isInStep = false;
    this.#tape.end();
  }

  #marketAt(number: number): SimMarket {
    const market = this.#markets[number];
    if (market === undefined) throw new RangeError(`Invariant: market ${number} is not one of ${this.#markets.length}`);
    return market;
  }

  #switchTo(number: number, from: SimMarket): SimMarket {
    if (!this.#otherMarkets.includes(from)) this.#otherMarkets.push(from);
    return this.#marketAt(number);
  }

  /** Processes a level where own orders rest or consumed size, and rewrites the level's row to the available size V. */
  #processFlaggedLevel({ flow }: SimMarket, block: Block, row: number): void {
    block.shares[row] = flow.setLevel(block.side[row]!, block.price[row]!, block.shares[row]!, aheadShares(block, row));
  }

  #processPrint(market: SimMarket, block: Block, row: number): void {
    const price = block.price[row]!;
    const { own, flow, outside } = market;
    if (!outside.isInGap) outside.lastPrint = price;
    if (this.#wantsPrints) this.#observer.onPrint?.(this.#print.set(market, this.#events, block, row));
    const flags = block.flags[row]!;
    if (own.ownAsk > price && own.ownBid < price && (flags & FLAG.own) === 0) return;
    this.#ensureStep();
    if ((flags & FLAG.own) !== 0)
      flow.applyOwnPrint(block.side[row]!, price, block.shares[row]!, isOwnPrintNext(block, row));
    else if ((flags & FLAG.late) !== 0)
      flow.applyLatePrint(block.side[row]!, price, block.shares[row]!, this.#events.now);
    else flow.applyPrint(block.side[row]!, price, block.shares[row]!);
  }

  #endMessage(last: SimMarket, block: Block, from: number, to: number): void {
    if (this.#otherMarkets.length === 0) this.#endMarketStep(last);
    else {
      if (!this.#otherMarkets.includes(last)) this.#otherMarkets.push(last);
      for (const market of this.#otherMarkets) this.#endMarketStep(market);
      this.#otherMarkets.length = 0;
    }
    if (this.#isInStep) {
      this.#events.settleStep();
      this.#endStep();
    }
    if (this.#replay.changes.length > 0) this.#publish(block, from, to);
  }

  /** Ends a market's step after its levels are set. Tests for crosses, then sets touch and mark for later steps. */
  #endMarketStep(market: SimMarket): void {
    const { ladder, own, outside } = market;
    if (outside.hasGapEnded) market.flow.requeue();
    if (ladder.topBid >= own.ownAsk || ladder.topAsk <= own.ownBid) {
      this.#ensureStep();
      market.flow.cross();
    }
    const { topBid, topAsk } = ladder;
    outside.updateTouch();
    if (this.#wantsMids) this.#reportMid(market);
    if (!market.acceptsOrders) return;
    if (this.#tradesOnly) {
      if (outside.lastPrint > 0) this.#setMark(market, 2 * outside.lastPrint);
    } else if (topBid > 0 && topAsk < FULL_BPS) this.#setMark(market, topBid + topAsk);
  }

  #reportMid(market: SimMarket): void {
    const { acceptsOrders, outside } = market;
    const { touchBid, touchAsk } = outside;
    const mid = acceptsOrders && touchBid > 0 && touchAsk < FULL_BPS ? touchBid + touchAsk : 0;
    if (mid === market.reportedMid) return;
    market.reportedMid = mid;
    this.#observer.onRecordedMid?.(market.number, this.#events, mid === 0 ? undefined : unchecked.mid(mid));
  }

  #setMark(market: SimMarket, mark: number): void {
    if (mark === market.mark) return;
    market.mark = mark;
    if (market.hasOwnFill) this.ledger.mark(market.number, unchecked.mid(mark));
    this.#observer.onMark?.(market.number, this.#events, unchecked.mid(mark));
  }

  /** Publishes levels that own orders consumed: in the level's row of the message, or as a separate change. */
  #publish(block?: Block, from = 0, to = 0): void {
    const { changes } = this.#replay;
    for (const { market, side, price } of changes) {
      const shares = this.#marketAt(market).outside.available(side, price);
      const row = block === undefined ? -1 : findLastLevelRow(block, from, to, market, side, price);
      if (block !== undefined && row >= 0) block.shares[row] = shares;
      else this.#output.onLevel(market, side, price, shares);
    }
    changes.length = 0;
  }
}
