/**
 * The exchange's whole state as one sequence of numbers and texts, for its hash and for snapshots.
 *
 * HOT: a snapshot writes a million open orders (bench/journal.ts).
 *
 * Invariant: the sequence depends only on the present state, not on its history (slots, capacities, order of opening
 * holdings, obsolete deadlines). The sequence changes exactly when there is an event.
 *
 * The sequence ("n" is a number, "t" is a text, "by number" means ascending, a code is an index in the list of values):
 *
 *  1. n `STATE_VERSION`
 *  2. n now: time of the last command, deadline or tape step that had an event, 0 before the first; n seq; n code of
 *     the mode in VENUE_MODES; t name of the quote policy
 *  3. the configuration: n each member of `CONFIG_KEYS`, in that order
 *  4. accounts and holdings (accounts/state.ts)
 *  5. markets by number, their count first (markets/market-state.ts)
 *  6. for each market by number: n seq of its book (last event of the command, deadline or tape step that changed it),
 *     n last trade in YES bps (0 before the first), n volume in micro-USD
 *  7. n orders accepted so far; for each by number: n its account
 *  8. n open orders; for each, by market, then YES price from the lowest up, then queue position: n market, n YES
 *     price, n order, n account, n kind (ORDER_KIND), n remaining, n expiration (0 for none), n credential, n group (0
 *     once it is deleted), n seq of its last fill (0 for none). Includes initial orders of markets that are not open
 *     yet.
 *  9. n groups created so far, n existing groups; for each by number: n group, n account, n maxFilled, n window, n 1 if
 *     tripped else 0, n count of the fills in the window (time > now - window; merged as in order-groups.ts), for each
 *     from the oldest: n time, n shares
 * 10. n credentials that are armed, lapsed or revoked; for each by number: n credential, n account, n timeout and n
 *     deadline (both 0 unless armed), n 1 if lapsed else 0, n 1 if revoked else 0
 * 11. n orders with identities, t their running digest (identities.ts)
 * 12. only if trades can be reversed; the version is then `REVERSIBLE` higher: n window, n trades within it; for each
 *     from the oldest: n seq, n time, n market, n YES price, n shares, n fee, then for maker and taker: n order, n
 *     account, n kind, n cost of sold shares (reversals.ts)
 *
 * If markets follow tapes, the version is `RECORDING_VERSION`. The tapes are written before 8 (recordings.ts), the
 * recorded levels at the end.
 */
import { Fault, unchecked, VENUE_MODES } from '../../domain/index.ts';
import { restoreClearing, writeClearing } from '../accounts/state.ts';
import { CONFIG_KEYS, configRefusal, DEFAULT_CONFIG, type ExchangeConfig } from '../config.ts';
import { FORCE, inYesTerms, SELF_TRADE } from '../matching/codes.ts';
import { QUOTE_POLICIES, type QuotePolicyName } from '../quotes/retail-quote.ts';
import { damagedSnapshot, type StateReader, type StateWriter } from '../state-writer.ts';
import { DEADLINE_RANK } from './deadlines.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { isOnTick, isWholeLots } from './order-form.ts';

/** Version of the format above. A snapshot of another version is refused. */
export const STATE_VERSION = 2;
/** Version with markets that follow tapes. */
export const RECORDING_VERSION = 3;

/** Added to the version if trades can be reversed. */
const REVERSIBLE = 2;

export function writeState(context: ExchangeContext, writer: StateWriter): void {
  const { conditions, sequencer, clearing, markets, records, owners, groups, credentials, digest } = context;
  const { recordings, reversals } = context;
  const isRecorded = recordings.followers.length > 0;
  const isReversible = reversals.window > 0;
  writer.number((isRecorded ? RECORDING_VERSION : STATE_VERSION) + (isReversible ? REVERSIBLE : 0));
  writer.number(conditions.now);
  writer.number(sequencer.seq);
  writer.number(VENUE_MODES.indexOf(conditions.mode));
  writer.text(conditions.quotePolicy);
  for (const key of CONFIG_KEYS) writer.number(conditions.config[key]);
  writeClearing(clearing, writer);
  markets.writeState(writer);
  for (const { bookSeq, lastTrade, volume } of records) {
    for (const value of [bookSeq, lastTrade, volume]) writer.number(value);
  }
  owners.writeState(writer);
  if (isRecorded) recordings.writeState(writer);
  writeOpenOrders(context, writer);
  groups.writeState(writer, conditions.now);
  credentials.writeState(writer);
  digest.writeState(writer);
  if (isReversible) reversals.writeState(writer);
  for (const { book } of recordings.followers) book.recordedMarket?.writeState(writer);
}

/** Restores a state into an empty exchange. @throws Fault if the state has another version or is incomplete */
export function readState(context: ExchangeContext, reader: StateReader): void {
  const { conditions, sequencer, clearing, markets, records, owners, groups, credentials, digest, deadlines } = context;
  const { isRecorded, isReversible } = parseVersion(reader.number());
  conditions.now = unchecked.time(reader.number());
  sequencer.seq = reader.number();
  conditions.mode = VENUE_MODES[reader.number()] ?? damagedSnapshot('the mode');
  const policy = reader.text();
  conditions.quotePolicy = isPolicy(policy) ? policy : damagedSnapshot('the quote policy');
  conditions.config = readConfig(reader);
  restoreClearing(clearing, reader);
  markets.restore(reader, (market, tickBps) => context.effects.newBook(market, tickBps));
  const bookValues = records.map(() => [reader.number(), reader.number(), reader.number()] as const);
  owners.readState(reader);
  if (isRecorded) context.recordings.readState(reader);
  readOpenOrders(context, reader);
  context.matchHandler.setBookSeqs();
  for (const [at, [bookSeq, lastTrade, volume]] of bookValues.entries()) {
    const market = markets.get(at) ?? damagedSnapshot('the market');
    market.bookSeq = bookSeq;
    market.lastTrade = lastTrade;
    market.volume = unchecked.usd(volume);
    if (market.deadline !== undefined) deadlines.add(market.deadline, DEADLINE_RANK.market, at);
  }
  groups.readState(reader);
  credentials.readState(reader);
  credentials.forEachDeadline((credential, deadline) => deadlines.add(deadline, DEADLINE_RANK.heartbeat, credential));
  digest.readState(reader);
  if (isReversible) context.reversals.readState(reader);
  for (const { book } of context.recordings.followers) book.recordedMarket?.readState(reader);
}

function parseVersion(version: number): { readonly isRecorded: boolean; readonly isReversible: boolean } {
  if (!Number.isInteger(version) || version < STATE_VERSION || version > RECORDING_VERSION + REVERSIBLE) {
    const known = `${STATE_VERSION} to ${RECORDING_VERSION + REVERSIBLE}`;
    throw new Fault('SNAPSHOT', `this is a state of version ${version}, not ${known}: replay the journal`);
  }
  const isReversible = version >= STATE_VERSION + REVERSIBLE;
  return { isReversible, isRecorded: version - (isReversible ? REVERSIBLE : 0) === RECORDING_VERSION };
}

function readConfig(reader: StateReader): ExchangeConfig {
  const read = CONFIG_KEYS.map((key) => [key, reader.number()] as const);
  const config: ExchangeConfig = { ...DEFAULT_CONFIG, ...Object.fromEntries(read) };
  return configRefusal(config) === undefined ? Object.freeze(config) : damagedSnapshot('the configuration');
}

function isPolicy(name: string): name is QuotePolicyName {
  return Object.hasOwn(QUOTE_POLICIES, name);
}

/** Writes part 8. */
function writeOpenOrders({ slots, clearing, records }: ExchangeContext, writer: StateWriter): void {
  writer.number(slots.size);
  for (const { number, book } of records) {
    for (let price = book.priceAbove(0); price < 10_000; price = book.priceAbove(price)) {
      for (let slot = book.firstAt(price); slot !== 0; slot = slots.behind(slot)) {
        writer.number(number);
        writer.number(price);
        writer.number(slots.order(slot));
        writer.number(clearing.holdings.accountOf(slots.holding(slot)));
        writer.number(slots.kind(slot));
        writer.number(slots.remaining(slot));
        writer.number(slots.expiration(slot));
        writer.number(slots.credential(slot));
        writer.number(slots.group(slot));
        writer.number(slots.lastFill(slot));
      }
    }
  }
}

const VALUES_PER_ORDER = 10;
const [MARKET, PRICE, ORDER, ACCOUNT, KIND, REMAINING, EXPIRATION, CREDENTIAL, GROUP, LAST_FILL] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;

/**
 * Restores the output of `writeOpenOrders`. The accounts already contain the reserves of the orders. Queues and the
 * order lists of holdings are sorted by order number, so the function enters the orders in this sequence.
 * @throws Fault if the output is damaged
 */
function readOpenOrders(context: ExchangeContext, reader: StateReader): void {
  const { owners } = context;
  const count = reader.number();
  if (!(count >= 0 && count <= owners.count)) damagedSnapshot(`${count} open orders`);
  const rows = new Float64Array(VALUES_PER_ORDER * count);
  for (let at = 0; at < rows.length; at++) rows[at] = reader.number();
  // For each order number, the start of the order's row plus 1, or 0 for no row. This array makes a sort unnecessary.
  const rowStartPlusOne = new Int32Array(owners.count + 1);
  for (let row = 0; row < count; row++) {
    const order = rows[VALUES_PER_ORDER * row + ORDER]!;
    if (owners.accountOf(order) !== rows[VALUES_PER_ORDER * row + ACCOUNT] || rowStartPlusOne[order] !== 0)
      damagedSnapshot(`order ${order}`);
    rowStartPlusOne[order] = VALUES_PER_ORDER * row + 1;
  }
  for (let order = 1; order <= owners.count; order++) {
    const begin = rowStartPlusOne[order]!;
    if (begin !== 0) restoreOrder(context, rows, begin - 1);
  }
}

function restoreOrder({ clearing, matchHandler, records }: ExchangeContext, rows: Float64Array, at: number): void {
  const order = rows[at + ORDER]!;
  const marketNumber = rows[at + MARKET]!;
  const yesPrice = rows[at + PRICE]!;
  const kind = rows[at + KIND]!;
  const remaining = rows[at + REMAINING]!;
  const market = records[marketNumber];
  const holding = clearing.holdings.find(rows[at + ACCOUNT]!, marketNumber);
  if (market === undefined || holding === 0) damagedSnapshot(`order ${order}`);
  if (!isOnTick(yesPrice, market.tickBps) || !isWholeLots(remaining)) damagedSnapshot(`order ${order}`);
  // The book reserves the amount again when the order rests.
  clearing.release(holding, kind, yesPrice, remaining);
  matchHandler.order = order;
  matchHandler.market = marketNumber;
  matchHandler.kind = kind;
  matchHandler.holding = holding;
  matchHandler.credential = rows[at + CREDENTIAL]!;
  matchHandler.group = rows[at + GROUP]!;
  matchHandler.expiration = rows[at + EXPIRATION]!;
  matchHandler.lastFill = rows[at + LAST_FILL]!;
  const price = inYesTerms(kind, yesPrice);
  market.book.enter(order, kind, FORCE.gtc, price, remaining, holding, SELF_TRADE.cancelTaker);
}
