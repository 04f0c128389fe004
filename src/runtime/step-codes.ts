/** Codes of types and words in a stored step. */
import type { InputEvent, OrderCommand } from '../domain/index.ts';

/** Codes of events; 0 is a market message. Never change a code. */
export const EVENT_CODES = {
  orderAccepted: 1,
  orderRejected: 2,
  orderFilled: 3,
  orderReduced: 4,
  orderClosed: 5,
  cancelRejected: 6,
  converted: 7,
  conversionRejected: 8,
  started: 9,
  stopped: 10,
  timerFired: 11,
  signalReceived: 12,
  operatorCommanded: 13,
  limitsChanged: 14,
  ordersReplaced: 15,
  orderUncertain: 16,
  cashAdjusted: 17,
  holdingAdjusted: 18,
  venueChanged: 19,
  rateLimitUpdated: 20,
  parameterSet: 21,
  marketAdded: 22,
  marketRemoved: 23,
  woke: 24,
  // 25 is OPERATOR_COMMAND_WITH_REASON.
  pricesUpdated: 26,
  // 27 is MARKET_REMOVED_BY_OPERATOR.
  feeConfirmed: 28,
  // 29 is FILL_WITH_TRADE, 30 CASH_WITH_TRADE.
  fillSettled: 31,
  fillReversed: 32,
  // 33 is PROVISIONAL_FILL, 34 RECOVERED_FILL.
  cancelCommanded: 35,
  makerPaid: 36,
} as const satisfies Record<InputEvent['type'], number>;

/** `marketRemoved` by an operator. Other removals have the code of the type. */
export const MARKET_REMOVED_BY_OPERATOR = 27;

/** `orderFilled` and `cashAdjusted` with the venue's trade id. Events without an id have the code of the type. */
export const FILL_WITH_TRADE = 29;
export const CASH_WITH_TRADE = 30;

/** Prefix of a fill that a recovery found. An index in `ENCODED_WORDS.recovery` and the fill's code follow. */
export const RECOVERED_FILL = 34;

/** `orderFilled` with a trade that the venue may still reverse. */
export const PROVISIONAL_FILL = 33;

/** `operatorCommanded` with a reason. Commands without a reason have the code of the type. */
export const OPERATOR_COMMAND_WITH_REASON = 25;

/** Codes of commands. Never change a code. */
export const COMMAND_CODES = {
  place: 1,
  cancel: 2,
  reduce: 3,
  replace: 4,
  split: 5,
  merge: 6,
  claim: 7,
  cancelAll: 8,
} as const satisfies Record<OrderCommand['type'], number>;

/** `cancelAll` for all orders of the account, not only those of the bot. */
export const CANCEL_ALL_OF_ACCOUNT = 9;

/** `place` followed by a tag, and `replace` in which a tag follows each place. An empty tag means no tag. */
export const PLACE_WITH_TAG = 11;
export const REPLACE_WITH_TAGS = 12;

/** A saved or cleared state. States follow the commands, so that steps without states keep their encoding. */
export const STATE_CHANGED = 13;

/** Words that are encoded as their index in one byte. Never change an index. */
export const ENCODED_WORDS = {
  outcome: ['YES', 'NO'],
  side: ['BUY', 'SELL'],
  timeInForce: ['GTC', 'GTD', 'FOK', 'FAK'],
  liquidity: ['maker', 'taker'],
  recovery: ['start', 'reconnect'],
  conversion: ['split', 'merge', 'claim'],
  makerPayment: ['rebate', 'reward'],
  grid: ['tick', 'list'],
} as const;
