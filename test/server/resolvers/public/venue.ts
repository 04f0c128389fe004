/** A venue with a real exchange, command queue and database. Tests call it over GraphQL and advance its clock. */
import { expect } from 'vitest';
import { SimClock } from '../../../../src/clock/index.ts';
import { accountNo } from '../../../../src/domain/ids.ts';
import {
  type AccountNo,
  epochMs,
  type MarketNo,
  marketNo,
  microUsd,
  type Outcome,
  type Side,
} from '../../../../src/domain/index.ts';
import type {
  CreateMarket,
  ExchangeCommand,
  ExchangeEvent,
  JournalBatch,
  OnDurable,
  QuotePolicyName,
  Restriction,
} from '../../../../src/exchange/index.ts';
import { venueSchema } from '../../../../src/protocol/index.ts';
import { Catalogue } from '../../../../src/server/catalogue.ts';
import { type Engine, openEngine } from '../../../../src/server/engine.ts';
import type { Arguments, Viewer } from '../../../../src/server/graphql/context.ts';
import { GraphqlService } from '../../../../src/server/graphql/service.ts';
import { MarketIndex } from '../../../../src/server/market-index.ts';
import { Cursors } from '../../../../src/server/paging/cursors.ts';
import { MarketViewCache } from '../../../../src/server/presenters/market-presenter.ts';
import type { ResolverDeps } from '../../../../src/server/resolvers/deps.ts';
import { tradingResolvers } from '../../../../src/server/resolvers/resolvers.ts';
import type { SignedMessages, Signer } from '../../../../src/signing/index.ts';
import { SqliteStore } from '../../../../src/store/index.ts';
import { afterThisTest } from '../../../cleanup.ts';
import { JournalWrapper } from '../../../exchange/journal/journal-wrapper.ts';
import { openMessages } from '../../../signing/harness.ts';
import { ALL_SCOPES, operationContext, stubResolvers } from '../../graphql/stub-venue.ts';
import { creationCommand, orderCommand } from './commands.ts';
import { depsOf } from './deps.ts';

export const START = Date.parse('2026-11-20T12:00:00Z');
/** Addresses of accounts without keys. */
export const [ONE, TWO, THREE] = ['01', '02', '03'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];

export interface Response {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly path: readonly string[] }[];
}

export interface VenueOptions {
  readonly file?: string;
  readonly quotePolicy?: QuotePolicyName;
}

/** A journal that holds a batch while `isHeld` is true. */
class PausableJournal extends JournalWrapper {
  isHeld = false;
  #held: (() => void) | undefined;

  override append(batch: JournalBatch, onDurable: OnDurable): void {
    if (this.isHeld) this.#held = () => this.inner.append(batch, onDurable);
    else this.inner.append(batch, onDurable);
  }

  release(): void {
    this.isHeld = false;
    const held = this.#held;
    this.#held = undefined;
    held?.();
  }
}

export async function openVenue({ file = ':memory:', quotePolicy }: VenueOptions = {}): Promise<Venue> {
  const clock = new SimClock(epochMs(START));
  const store = SqliteStore.open({ file, thread: false });
  const journal = new PausableJournal(store.journal);
  const { archive, registry, identities } = store;
  const faults: unknown[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (fields: object) => void faults.push(fields) };
  const engine = openEngine({
    store: {
      journal,
      archive,
      registry,
      identities,
      fault: undefined,
      writeRowsFrom: (source) => store.writeRowsFrom(source),
      onDamage: (listener) => store.onDamage(listener),
      pruneEvents: () => undefined,
      close: () => store.close(),
    },
    clock,
    log,
    quotePolicy,
    onStop: (cause: unknown) => void faults.push(cause),
  });
  const messages = await openMessages();
  return new Venue({ clock, store, journal, engine, faults, messages });
}

/** Opens a venue with two unlimited accounts. It closes after the test, which fails if it has logged an error. */
export async function openVenueWithMakers(options?: VenueOptions) {
  const venue = await openVenue(options);
  afterThisTest.add(async () => {
    await venue.close();
    expect(venue.faults).toEqual([]);
  });
  const makers: readonly [AccountNo, AccountNo] = [await venue.account(ONE), await venue.account(TWO)];
  return { venue, makers };
}

interface VenueDeps {
  readonly clock: SimClock;
  readonly store: SqliteStore;
  readonly journal: PausableJournal;
  readonly engine: Engine;
  readonly faults: unknown[];
  readonly messages: SignedMessages & { readonly signer: Signer };
}

/** Requests and commands of tests. Commands go through the queue, like those of operators. */
export class Venue {
  readonly clock: SimClock;
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly marketIndex: MarketIndex;
  readonly marketViews: MarketViewCache;
  readonly cursors = new Cursors(new Uint8Array(32).fill(3));
  readonly deps: ResolverDeps;
  readonly service: GraphqlService;
  /** Logged errors, and the cause when the queue stopped. */
  readonly faults: unknown[];
  /** Remaining order tokens of all callers; undefined for no limit. */
  orderTokens: number | undefined;
  creationRestriction: Restriction | undefined;
  readonly #deps: VenueDeps;

  constructor(deps: VenueDeps) {
    const { engine, store, messages } = deps;
    const { queue } = engine;
    this.#deps = deps;
    this.clock = deps.clock;
    this.engine = engine;
    this.faults = deps.faults;
    this.catalogue = new Catalogue(store.registry);
    this.marketIndex = new MarketIndex(queue.view);
    this.marketViews = new MarketViewCache(queue.view);
    queue.watch(this.marketIndex);
    queue.watch(this.marketViews);
    this.deps = depsOf(this, store, messages);
    const schema = venueSchema();
    const stubs = stubResolvers(schema, 1);
    const { Query, Mutation, objects } = tradingResolvers(this.deps);
    this.service = new GraphqlService({
      schema,
      resolvers: { Query: { ...stubs.Query, ...Query }, Mutation: { ...stubs.Mutation, ...Mutation }, objects },
      quota: { consume: () => 0, charge: () => undefined },
      log: { info: () => undefined, warn: () => undefined, error: (fields) => void deps.faults.push(fields) },
    });
    queue.start();
  }

  get view() {
    return this.engine.view;
  }

  get messages() {
    return this.#deps.messages;
  }

  get registry() {
    return this.#deps.store.registry;
  }

  async request(query: string, variables: Arguments = {}, viewer?: Viewer): Promise<Response> {
    const context = { ...operationContext(viewer, 'r1'), viewer };
    const { answer } = await this.service.answer({ query, variables }, context);
    return answer;
  }

  /** Requests a single field. @returns its value @throws Error on GraphQL errors */
  async read<Value>(query: string, variables: Arguments = {}, viewer?: Viewer): Promise<Value> {
    const { data, errors } = await this.request(query, variables, viewer);
    if (errors !== undefined || data === null) throw new Error(JSON.stringify(errors));
    const [value] = Object.values(data);
    return value as Value;
  }

  /** Sends a request that fails with one error. @returns `message @ path` */
  async refusal(query: string, variables: Arguments = {}, viewer?: Viewer): Promise<string> {
    const { data, errors = [] } = await this.request(query, variables, viewer);
    const [error, ...others] = errors;
    if (error === undefined || others.length > 0) throw new Error(`not one error: ${JSON.stringify({ data, errors })}`);
    if (data !== null && Object.values(data).some((value) => value !== null)) throw new Error(JSON.stringify(data));
    return `${error.message} @ ${error.path.join('.')}`;
  }

  /** Executes a command; an account's needs `credential: credentialNo(0)`. @throws Error when it is refused */
  async execute(command: ExchangeCommand): Promise<readonly ExchangeEvent[]> {
    const events = await this.engine.queue.execute(command);
    const refused = events.find((event) => event.type === 'refused');
    if (refused !== undefined) throw new Error(`${command.type}: ${JSON.stringify(refused)}`);
    return events;
  }

  /** Opens an account with a deposit in dollars. Without a deposit the account is unlimited. */
  async account(address: string, dollars?: number): Promise<AccountNo> {
    const time = this.clock.now();
    await this.execute({ type: 'openAccount', time, address, unlimited: dollars === undefined });
    const account = accountNo(this.view.accountOf(address));
    if (dollars !== undefined && dollars > 0) {
      await this.execute({ type: 'transfer', time, account, amount: microUsd(dollars * 1_000_000) });
    }
    return account;
  }

  /** Creates a market, which then waits for its deployment. */
  async create(account: AccountNo, changes: Partial<CreateMarket> = {}): Promise<MarketNo> {
    const no = marketNo(this.view.markets.length);
    await this.execute(creationCommand(this, account, changes));
    return no;
  }

  /** Confirms the chain step that the market waits for. */
  async confirm(market: MarketNo): Promise<void> {
    const record = this.view.market(market);
    if (record?.chainStep === undefined) throw new Error(`market ${market} does not wait for a chain step`);
    await this.execute({
      type: 'chainConfirmed',
      time: this.clock.now(),
      market,
      step: record.chainStep,
      attempt: record.attempts,
      transactionHash: `0x${'cd'.repeat(32)}`,
      note: '',
    });
  }

  /** Creates and opens a market. */
  async open(account: AccountNo, changes: Partial<CreateMarket> = {}): Promise<MarketNo> {
    const market = await this.create(account, changes);
    await this.confirm(market);
    return market;
  }

  /** Places an unsigned GTC order. @param shares micro-shares */
  place(account: AccountNo, market: MarketNo, side: Side, outcome: Outcome, price: number, shares: number) {
    return this.execute(orderCommand(this, { account, market, side, outcome, price, shares }));
  }

  /** Mints pairs between two accounts. @param yes price of YES, bps @param shares micro-shares */
  async trade(market: MarketNo, [maker, taker]: readonly [AccountNo, AccountNo], yes: number, shares: number) {
    await this.place(maker, market, 'BUY', 'YES', yes, shares);
    await this.place(taker, market, 'BUY', 'NO', 10_000 - yes, shares);
  }

  /** Advances the clock and runs due timers. */
  pass(ms: number): void {
    const until = this.clock.now() + ms;
    while (this.clock.nextTime() <= until) this.clock.runNext();
    this.clock.advanceTo(until);
  }

  /** Holds the journal: nothing becomes durable until `release`. */
  hold(): void {
    this.#deps.journal.isHeld = true;
  }

  release(): void {
    this.#deps.journal.release();
  }

  async close(): Promise<void> {
    await this.engine.queue.close();
    await this.#deps.store.close();
  }
}

/** The viewer of a session. */
export function session(account: string, scopes: Viewer['scopes'] = ALL_SCOPES): Viewer {
  return { account, credential: `session of ${account}`, kind: 'session', scopes };
}
