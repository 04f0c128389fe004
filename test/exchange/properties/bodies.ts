/** The engine, and the engine beside its twin, as bodies that execute a sequence. */
import { MemoryIdentities } from '../../../src/exchange/engine/identities.ts';
import { Exchange, type ExchangeCommand, type ExchangeOptions } from '../../../src/exchange/index.ts';
import { callText } from '../twin/call-text.ts';
import { CallList } from '../twin/calls.ts';
import { sha256 } from '../twin/market.ts';
import { NaiveExchange } from '../twin/naive-exchange.ts';
import type { Call } from '../twin/world.ts';
import { assertSame } from './asserts.ts';
import { EventInvariants } from './event-invariants.ts';
import { checkInvariants } from './invariants.ts';
import type { ReadModel } from './read-model.ts';
import { type Body, CONFIG } from './sequence.ts';

/** Low limits, so that sequences reach them. */
const LIMITS = { openOrders: 24, accounts: 9, markets: 7, orderGroups: 5, credentials: 3, revocations: 1 };

/** Small columns, so that they grow. */
export const OPTIONS: ExchangeOptions = {
  sha256,
  config: CONFIG,
  limits: LIMITS,
  capacity: { orders: 1, accounts: 1, holdings: 1, markets: 1 },
};

/** The engine alone. */
export class EngineBody implements Body {
  readonly identities: MemoryIdentities;
  exchange: Exchange;
  /** Every second place and cancel command bypasses `apply`: both ways must give the same result. */
  #isDirect = false;

  constructor(identities = new MemoryIdentities()) {
    this.identities = identities;
    this.exchange = new Exchange({ ...OPTIONS, identities });
  }

  execute(command: ExchangeCommand): readonly Call[] {
    const sink = new CallList();
    this.#isDirect = !this.#isDirect;
    if (this.#isDirect && command.type === 'place') this.exchange.place(command, sink);
    else if (this.#isDirect && command.type === 'cancel') this.exchange.cancel(command, sink);
    else this.exchange.apply(command, sink);
    return sink.calls;
  }

  tickOf(market: number): number | undefined {
    return this.exchange.view.market(market)?.tickBps;
  }
}

/** The engine with a check of all invariants after every command. A refused command must change nothing. */
export class CheckedBody extends EngineBody {
  readonly #events = new EventInvariants((market) => this.exchange.view.market(market)?.feeRateBps ?? 0);
  #hash = '';

  before(call: Call, model: ReadModel): void {
    this.#events.check(call, model);
  }

  after(command: ExchangeCommand, calls: readonly Call[], model: ReadModel): void {
    this.#events.commandEnded(model);
    checkInvariants(this.exchange, model, command.time);
    const hash = this.exchange.stateHash();
    const hasEvents = calls.some(([name]) => name !== 'refused' && name !== 'duplicate');
    assertSame(hash !== this.#hash, hasEvents, 'the state changes exactly when an event is emitted');
    this.#hash = hash;
  }
}

/** The engine beside its twin: the same events and the same state hash after every command. */
export class TwinBody extends EngineBody {
  readonly twin = new NaiveExchange(CONFIG, LIMITS);

  override execute(command: ExchangeCommand): readonly Call[] {
    const calls = super.execute(command);
    const naive = this.twin.run(command);
    assertSame(calls.map(callText), naive.map(callText), 'events of the engine');
    assertSame(this.exchange.stateHash(), this.twin.stateHash(), 'state hash of the engine');
    return calls;
  }
}
