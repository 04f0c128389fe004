/**
 * Markets that follow tapes. Each message of a tape is a command.
 *
 * Invariants: a market's position on its tape only grows, so no message is played twice. A recorded market obeys the
 * same transition table as all others. While a market is not OPEN, its recording continues, but is not public.
 */
import { DAY_MS, Fault, FULL_BPS, isFinal, timeAfter, unchecked } from '../../domain/index.ts';
import { amountAt } from '../accounts/holding-amounts.ts';
import type { Decision, MarketCommand } from '../market-command.ts';
import { canonicalJson } from '../markets/canonical-json.ts';
import type { Lifecycle } from '../markets/lifecycle.ts';
import { payoutFor } from '../markets/lifecycle-state.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { voteId } from '../markets/resolver.ts';
import type { RecordedMarket, RecordedMarketSink, RecordedState } from '../matching/book.ts';
import { ORDER_KIND } from '../matching/codes.ts';
import { type Refusal, refused } from '../refusal.ts';
import { damagedSnapshot, type StateReader, type StateWriter } from '../state-writer.ts';
import type { FollowedTape, FollowTape, PlayTape, RecordingTerms, TapePosition } from '../tape-command.ts';
import { isAccount } from './credentials.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { MatchHandler } from './match-handler.ts';
import type { BookFactory, TapeEffects } from './tape-effects.ts';

interface RecordingsDeps extends ExchangeState {
  readonly matchHandler: MatchHandler;
  readonly lifecycle: Lifecycle;
  readonly tape: TapeEffects;
  readonly makeBook: BookFactory;
}

type Follower = MarketRecord & { readonly following: FollowedTape };

export class Recordings {
  readonly #context: RecordingsDeps;

  constructor(context: RecordingsDeps) {
    this.#context = context;
  }

  follow(command: FollowTape): Refusal | undefined {
    const { tape, records } = this.#context;
    const market = records[command.market];
    if (market === undefined) return refused('NOT_FOUND', 'marketId');
    const refusal = this.#followRefusal(command, market);
    if (refusal !== undefined) return refusal;
    const { book } = market;
    const recordedMarket = this.#attach(market, command, command.account);
    if (recordedMarket?.isValid(command.rows) !== true) {
      market.following = undefined;
      market.book = book;
      return refused('INVALID_ORDER', recordedMarket === undefined ? 'models' : 'rows');
    }
    tape.account = command.account;
    market.deadline = undefined;
    this.#play(market, recordedMarket, command);
    return undefined;
  }

  play(command: PlayTape): Refusal | undefined {
    const market = this.#context.records[command.market];
    if (market === undefined) return refused('NOT_FOUND', 'marketId');
    const { following } = market;
    const { recordedMarket } = market.book;
    if (following === undefined || recordedMarket === undefined) return refused('CONFLICT', 'marketId');
    const refusal = this.#playRefusal(command, market, following);
    if (refusal !== undefined) return refusal;
    if (!recordedMarket.isValid(command.rows)) return refused('INVALID_ORDER', 'rows');
    this.#play(market, recordedMarket, command);
    return undefined;
  }

  /** Gives the market an empty book for this recording. @returns undefined if the `BookFactory` does not support it */
  #attach(market: MarketRecord, { tape, grid, models }: RecordingTerms, account: number): RecordedMarket | undefined {
    const { slots, matchHandler, makeBook } = this.#context;
    const recording = { tape, grid, models };
    const start = { row: 0, recordedAt: unchecked.time(0), placeDelay: unchecked.duration(0) };
    market.following = { ...recording, ...start, account };
    const { number, tickBps } = market;
    market.book = makeBook({ slots, sink: matchHandler, number, tickBps, tape: this.#context.tape, recording });
    return market.book.recordedMarket;
  }

  #play(market: MarketRecord, recordedMarket: RecordedMarket, { row, recordedAt, rows }: FollowTape | PlayTape): void {
    const { matchHandler, sequencer } = this.#context;
    const { following } = market;
    if (following === undefined) throw new RangeError(`Invariant: market ${market.number} follows no tape`);
    // `+ 0` turns -0 into 0.
    following.row = row + 0;
    following.recordedAt = unchecked.time(recordedAt + 0);
    const levels = recordedMarket.play(rows, this.#sink(market));
    if (levels.length > 0) matchHandler.markChanged(market.number);
    sequencer.emit({ type: 'tapePlayed', market: market.number, levels });
  }

  #sink(market: MarketRecord): RecordedMarketSink {
    return {
      onState: (state) => this.#applyState(market, state),
      onResolution: (yesPayoutBps) => this.#resolve(market, yesPayoutBps),
      onPlaceDelay: (ms) => {
        if (market.following !== undefined) market.following.placeDelay = unchecked.duration(ms);
      },
      onPrint: (buysYes, yesPrice, shares) => this.#print(market, buysYes, yesPrice, shares),
    };
  }

  #print(market: MarketRecord, buysYes: boolean, yesPrice: number, shares: number): void {
    if (market.status !== 'OPEN') return;
    const { matchHandler, sequencer } = this.#context;
    market.lastTrade = yesPrice;
    const kind = buysYes ? ORDER_KIND.buyYes : ORDER_KIND.buyNo;
    market.volume = unchecked.usd(market.volume + amountAt(kind, yesPrice, shares));
    matchHandler.markChanged(market.number);
    sequencer.emit({ type: 'printed', market: market.number, buysYes, yesPrice, shares });
  }

  #applyState(market: MarketRecord, state: RecordedState): void {
    if (state === 'PENDING_RESOLUTION') {
      if (market.status === 'OPEN') this.#applyToMarket({ type: 'closeEarly', ...this.#commandFields(market) });
      return;
    }
    if (market.status === 'PENDING_RESOLUTION') this.#reopen(market);
    if (market.status !== 'OPEN') return;
    if (state === 'HALTED' && !market.halted) this.#applyToMarket({ type: 'halt', ...this.#commandFields(market) });
    if (state === 'OPEN' && market.halted) this.#applyToMarket({ type: 'resume', ...this.#commandFields(market) });
  }

  #reopen(market: MarketRecord): void {
    const { now } = this.#context.conditions;
    // A resolution date must be in the future.
    const tomorrow = timeAfter(now, DAY_MS);
    const resolutionDate = market.resolutionDate > tomorrow ? market.resolutionDate : tomorrow;
    this.#applyToMarket({ type: 'moveDate', ...this.#commandFields(market), by: 'resolver', resolutionDate });
    market.deadline = undefined;
  }

  /** Casts a quorum of votes for the recorded decision. A market that is already decided does not change. */
  #resolve(market: MarketRecord, yesPayoutBps: number | undefined): void {
    if (market.status === 'OPEN') this.#applyToMarket({ type: 'closeEarly', ...this.#commandFields(market) });
    const { number, quorum } = market;
    for (let voter = 1; voter <= quorum && market.status === 'PENDING_RESOLUTION'; voter += 1) {
      const { round } = market;
      const model = `tape-${voter}`;
      const decision: Decision = yesPayoutBps === undefined ? 'CANCELLED' : toDecision(yesPayoutBps);
      const vote = { id: voteId(number, round, model), model, vote: decision, confidenceBps: undefined };
      const recordedVote = { ...vote, rationale: 'as recorded', sources: [] };
      this.#applyToMarket({ type: 'castVote', ...this.#commandFields(market), note: '', round, vote: recordedVote });
    }
  }

  /** Applies a command to the lifecycle, and ignores a refusal. */
  #applyToMarket(command: MarketCommand): void {
    this.#context.lifecycle.apply(command);
  }

  #commandFields({ number: market }: MarketRecord) {
    return { time: this.#context.conditions.now, market, note: 'as recorded' };
  }

  #followRefusal({ account, grid, ...position }: FollowTape, market: MarketRecord): Refusal | undefined {
    const { accounts, tape } = this.#context;
    if (!isAccount(accounts, account) || accounts.unlimited[account] === 0) return refused('NOT_FOUND', 'account');
    if (tape.account !== 0 && tape.account !== account) return refused('CONFLICT', 'account');
    if (market.status !== 'OPEN') return refused('MARKET_NOT_OPEN', 'marketId');
    const { following, lastTrade, book } = market;
    const isUnused = lastTrade === 0 && book.bestBid === 0 && book.bestAsk === FULL_BPS;
    if (following !== undefined || !isUnused) return refused('CONFLICT', 'marketId');
    const tickBps = grid.type === 'tick' ? grid.tickBps : 1;
    if (market.tickBps !== tickBps) return refused('INVALID_TICK', 'tickBps', market.tickBps, tickBps, 'BPS');
    return positionRefusal(position, { row: 0, recordedAt: unchecked.time(0) });
  }

  #playRefusal(command: PlayTape, { status }: MarketRecord, from: TapePosition): Refusal | undefined {
    if (this.#context.conditions.mode === 'HALTED') return refused('VENUE_MODE');
    if (isFinal(status)) return refused('ALREADY_FINAL', 'marketId');
    if (command.row <= from.row) return refused('CONFLICT', 'row', from.row, command.row, 'COUNT');
    return positionRefusal(command, from);
  }

  get followers(): readonly Follower[] {
    return this.#context.records.filter((market): market is Follower => market.following !== undefined);
  }

  /**
   * Writes the number of the tape account and the count of markets. Then writes for each market, in ascending order:
   * its number, the tape, the canonical JSON of grid and models, `row`, `recordedAt` and `placeDelay`.
   */
  writeState(writer: StateWriter): void {
    const { followers } = this;
    writer.number(this.#context.tape.account);
    writer.number(followers.length);
    for (const { number, following } of followers) {
      const { grid, models, row, recordedAt, placeDelay } = following;
      writer.number(number);
      writer.text(following.tape);
      writer.text(canonicalJson({ grid, models }));
      for (const value of [row, recordedAt, placeDelay]) writer.number(value);
    }
  }

  /** Restores the markets' books. @throws Fault if the data is invalid, or if no `BookFactory` creates such books */
  readState(reader: StateReader): void {
    const { records, tape } = this.#context;
    tape.account = reader.number();
    for (let left = reader.number(); left > 0; left -= 1) {
      const market = records[reader.number()];
      const terms = { tape: reader.text(), ...parseTerms(reader.text()) };
      if (market === undefined) damagedSnapshot('a market');
      if (this.#attach(market, terms, tape.account) === undefined) {
        throw new Fault('SNAPSHOT', `market ${market.number} follows a tape, but this program cannot replay tapes`);
      }
      const [row, recordedAt, delay] = [reader.number(), reader.number(), reader.number()];
      const position = { row, recordedAt: unchecked.time(recordedAt), placeDelay: unchecked.duration(delay) };
      Object.assign(market.following ?? {}, position);
    }
  }
}

function positionRefusal({ row, recordedAt }: TapePosition, from: TapePosition): Refusal | undefined {
  if (!Number.isSafeInteger(row) || row < from.row) return refused('INVALID_ORDER', 'row');
  if (!Number.isSafeInteger(recordedAt) || recordedAt < from.recordedAt) return refused('INVALID_ORDER', 'recordedAt');
  return undefined;
}

/** Returns the decision with this payout; undefined ("cannot be decided") for any payout but all or nothing. */
function toDecision(yesPayoutBps: number): Decision {
  if (yesPayoutBps === payoutFor('YES')) return 'YES';
  return yesPayoutBps === payoutFor('NO') ? 'NO' : undefined;
}

/** Checks only that the members exist, because a checksum proves that this program wrote the text. */
function parseTerms(text: string): Pick<RecordingTerms, 'grid' | 'models'> {
  const value = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'grid' in value && 'models' in value) {
    return { grid: value.grid, models: value.models };
  }
  return damagedSnapshot('a grid');
}
