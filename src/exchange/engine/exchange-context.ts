/** Constructs and connects the parts of an exchange. */
import type { Sha256 } from '../market-event.ts';
import { Lifecycle } from '../markets/lifecycle.ts';
import { MatchingBook } from '../matching/matching-book.ts';
import { CancelHandler } from './cancel-handler.ts';
import { ExchangeState, type StateOptions } from './exchange-state.ts';
import { FastPathValidator } from './fast-path-validator.ts';
import { MarketEffects } from './market-effects.ts';
import { MatchHandler } from './match-handler.ts';
import { OrderEntry } from './order-entry.ts';
import { OrderValidator } from './order-validator.ts';
import { Recordings } from './recordings.ts';
import { ReplaceHandler } from './replace-handler.ts';
import { Reversals } from './reversals.ts';
import { type BookFactory, TapeEffects } from './tape-effects.ts';

export interface ExchangeOptions extends StateOptions {
  /** Computes the digests of the transparency record. */
  readonly sha256: Sha256;
  /** Creates each market's book, and its next book after a change of tick. Default `MatchingBook`. */
  readonly books?: BookFactory;
}

export class ExchangeContext extends ExchangeState {
  declare readonly matchHandler: MatchHandler;
  declare readonly reversals: Reversals;
  declare readonly validator: OrderValidator;
  declare readonly fastPath: FastPathValidator;
  declare readonly orderEntry: OrderEntry;
  declare readonly replaceHandler: ReplaceHandler;
  declare readonly cancelHandler: CancelHandler;
  declare readonly effects: MarketEffects;
  declare readonly lifecycle: Lifecycle;
  declare readonly tape: TapeEffects;
  declare readonly recordings: Recordings;
  declare readonly makeBook: BookFactory;

  constructor(options: ExchangeOptions) {
    super(options);
    this.reversals = new Reversals(this);
    this.matchHandler = new MatchHandler(this);
    this.validator = new OrderValidator(this);
    this.fastPath = new FastPathValidator(this);
    this.orderEntry = new OrderEntry(this);
    this.replaceHandler = new ReplaceHandler(this);
    this.cancelHandler = new CancelHandler(this);
    this.makeBook = options.books ?? ((bookOptions) => new MatchingBook(bookOptions));
    this.tape = new TapeEffects(this);
    this.effects = new MarketEffects(this);
    this.lifecycle = new Lifecycle({ markets: this.markets, effects: this.effects, sha256: options.sha256 });
    this.recordings = new Recordings(this);
  }
}
