/**
 * Answers commands from allowed chats.
 *
 * Invariants: an action is executed only after the same sender returns its code in the same chat within a minute. A
 * code is valid once, and a wrong code cancels the action. A message older than two minutes has no effect.
 */
import { type Clock, secureBytes, sleep } from '../../clock/index.ts';
import { counted, epochMs, Fault, formatShares, formatTime, LOT, microShares } from '../../domain/index.ts';
import { type ControlledBot, UNANSWERED_PHASES } from '../control/bot-port.ts';
import type { BotReport } from '../feed/report-types.ts';
import type { Log } from '../log/log.ts';
import { usdText as usd } from '../watch/run-summary.ts';
import type { ChatMessage } from './bot-api.ts';

export interface ChatBot extends Pick<ControlledBot, 'status' | 'orders' | 'positions' | 'operate'> {
  /** Returns P&L by cause at marks, and the mark (`doubleMid`) of each market. */
  report(): Pick<BotReport, 'today' | 'markets'>;
}

export interface CommandChatDeps {
  readonly bot: ChatBot;
  /** Reads the number of the account's open orders from the venue. @throws Fault */
  readonly openAtVenue: () => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
  /** Number of messages from chats that are not allowed. */
  readonly ignoredCount: () => number;
  /** Draws a code, 0..9999. Default: cryptographically random. */
  readonly draw?: () => number;
}

/** The effect of each action, and the longest wait for the venue's answers afterwards (`settleMs`). */
const ACTIONS = {
  pause: { effect: 'withdraws all quotes and sends nothing more until /resume', settleMs: 10_000 },
  reduce: { effect: 'sends only orders that reduce positions until /resume', settleMs: 10_000 },
  flatten: {
    effect: 'withdraws all quotes, closes positions within the price collar, then pauses',
    settleMs: 20_000,
  },
  kill: { effect: 'cancels every order of the account and sends nothing more until /resume', settleMs: 3_000 },
  resume: { effect: 'lets the bot trade again; after a kill, losses count from now on', settleMs: 10_000 },
} as const;
type Action = keyof typeof ACTIONS;

interface PendingAction {
  readonly action: Action;
  readonly code: string;
  readonly sender: string;
  readonly validUntil: number;
}

const CODE_VALID_MS = 60_000;
const MAX_MESSAGE_AGE_MS = 120_000;
const POLL_MS = 100;
const MAX_POSITIONS = 20;

const HELP = [
  '/status: mode, health, money, open orders',
  '/positions: holdings in each market',
  ...Object.entries(ACTIONS).map(([action, { effect }]) => `/${action}: ${effect}`),
  'Actions need a code. /help: this list',
].join('\n');

export class CommandChat {
  readonly #deps: CommandChatDeps;
  readonly #pending = new Map<string, PendingAction>();

  constructor(deps: CommandChatDeps) {
    this.#deps = deps;
  }

  /** Handles a message of an allowed chat. Never rejects. @returns the answer */
  async answer(message: ChatMessage): Promise<string> {
    const { clock, log } = this.#deps;
    const { chat, text, sentAt } = message;
    if (clock.now() - sentAt > MAX_MESSAGE_AGE_MS)
      return 'This message is older than two minutes and has no effect. Send it again. If it is new, check the clock of the machine.';
    // In a group, commands have the form `/kill@my_bot`.
    const [name = '', code] = text.trim().split(/\s+/);
    const command = name.replace(/@\w+$/, '').replace(/^\//, '').toLowerCase();
    try {
      if (isAction(command)) return this.#prompt(command, message);
      if (/^\d{4}$/.test(command)) return await this.#confirm(command, message);
      if (command === 'confirm') return await this.#confirm(code ?? '', message);
      this.#pending.delete(chat);
      if (command === 'status') return statusText(this.#deps.bot, this.#deps.ignoredCount());
      if (command === 'positions') return positionsText(this.#deps.bot);
      if (command === 'help' || command === 'start') return HELP;
      return `This is not a command.\n${HELP}`;
    } catch (error) {
      if (error instanceof Fault) return `Not done: ${error.message}`;
      log.error({ err: error }, 'telegram: a command failed');
      return 'Not done: an internal error, see the log of the bot';
    }
  }

  #prompt(action: Action, { chat, sender }: ChatMessage): string {
    const { bot, clock, draw = drawCode } = this.#deps;
    const code = String(draw()).padStart(4, '0');
    this.#pending.set(chat, { action, code, sender, validUntil: clock.now() + CODE_VALID_MS });
    const { mode, openOrders } = bot.status();
    return `/${action} ${ACTIONS[action].effect}. Now: ${mode}, ${counted(openOrders, 'open order')}. To do it, send this code within a minute: ${code}`;
  }

  async #confirm(code: string, { chat, sender }: ChatMessage): Promise<string> {
    const { clock } = this.#deps;
    const pending = this.#pending.get(chat);
    if (pending === undefined) return 'No command waits for a code.';
    if (pending.sender !== sender) return 'This code was not sent to you. Send the command yourself.';
    this.#pending.delete(chat);
    const retryHint = `Nothing was done. Send /${pending.action} again.`;
    if (clock.now() >= pending.validUntil) return `The code is older than a minute. ${retryHint}`;
    if (code !== pending.code) return `This is not the code. ${retryHint}`;
    return this.#execute(pending.action, `Telegram, sender ${sender}`);
  }

  async #execute(action: Action, reason: string): Promise<string> {
    const { bot, log } = this.#deps;
    const countBefore = bot.orders().length;
    log.info({ command: action, reason }, 'telegram: a command is executed');
    const { text } = await bot.operate(action, reason);
    await this.#waitUntilSettled(action);
    return [`/${action}: ${text}`, await this.#ordersText(countBefore), positionsText(bot)].join('\n');
  }

  async #waitUntilSettled(action: Action): Promise<void> {
    const { bot, clock } = this.#deps;
    const end = clock.now() + ACTIONS[action].settleMs;
    do {
      await sleep(clock, POLL_MS);
      const isDone = action !== 'flatten' || bot.status().mode !== 'REDUCING';
      if (isDone && !bot.orders().some(({ phase }) => UNANSWERED_PHASES.has(phase))) return;
    } while (clock.now() < end);
  }

  async #ordersText(countBefore: number): Promise<string> {
    const { bot, openAtVenue } = this.#deps;
    const orders = bot.orders();
    const waiting = orders.filter(({ phase }) => UNANSWERED_PHASES.has(phase)).length;
    const rest = waiting === 0 ? '' : `; ${counted(waiting, 'order')} without an answer yet`;
    try {
      const open = await openAtVenue();
      return `The venue confirms ${counted(open, 'open order')} (before: ${countBefore})${rest}.`;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return `NOT CONFIRMED: the venue does not answer. The bot counts ${counted(orders.length, 'open order')} (before: ${countBefore})${rest}.`;
    }
  }
}

function isAction(command: string): command is Action {
  return Object.hasOwn(ACTIONS, command);
}

function statusText(bot: ChatBot, ignoredCount: number): string {
  const status = bot.status();
  const { mode, killReason, modeReason, venueMode, venueModeReason, link, reconciled, nextStep } = status;
  const reason = killReason ?? modeReason;
  return [
    `${mode}${reason === null ? '' : ` (${reason})`}`,
    `Venue ${venueMode}${venueModeReason === null ? '' : ` (${venueModeReason})`}, connection ${link}, account ${reconciled}`,
    `Equity ${usd(status.equity)}, available ${usd(status.available)}`,
    `P&L at exit prices ${usd(status.pnl)}, since the start of the process ${usd(status.run.pnl)}`,
    todayText(bot.report().today),
    `${counted(status.openOrders, 'open order')}, ${counted(status.fills, 'fill')}, ${counted(status.markets.length, 'market')}`,
    ...(ignoredCount === 0 ? [] : [`${counted(ignoredCount, 'message')} of other chats ignored`]),
    ...(nextStep === null
      ? []
      : [`Next step: ${nextStep.startsWith('npx ') ? `/resume, or \`${nextStep}\`` : nextStep}`]),
  ].join('\n');
}

function todayText({ from, total, ...causes }: BotReport['today']): string {
  const parts = Object.entries(causes).flatMap(([cause, micros]) => (micros === 0 ? [] : [`${cause} ${usd(micros)}`]));
  const since = formatTime(epochMs(from)).slice(11, 16);
  return `P&L at marks since ${since} UTC ${usd(total)}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

function positionsText(bot: ChatBot): string {
  const holdings = bot.positions().filter(({ yes, no }) => yes !== 0 || no !== 0);
  if (holdings.length === 0) return 'No position.';
  const marks = new Map(bot.report().markets.map(({ slug, doubleMid }) => [slug, doubleMid]));
  const lines = holdings.slice(0, MAX_POSITIONS).map(({ market, yes, no, worth }) => {
    const net = yes - no;
    const holdingText = net === 0 ? `${shares(yes)} pairs` : `${shares(Math.abs(net))} ${net > 0 ? 'YES' : 'NO'}`;
    const mark = marks.get(market) ?? null;
    const atMark = mark === null ? ', no mark' : `, YES at ${(mark / 200).toFixed(3)}c: ${usd(worthAt(mark, yes, no))}`;
    return `${market}: ${holdingText}${atMark}${worth === null ? '' : `, at exit prices ${usd(worth)}`}`;
  });
  const more = holdings.length > MAX_POSITIONS ? [`and ${holdings.length - MAX_POSITIONS} more`] : [];
  return ['Positions:', ...lines, ...more].join('\n');
}

/** Returns micro-USD, rounded **down**. @param mark twice the YES price, bps @param yes micro-shares */
function worthAt(mark: number, yes: number, no: number): number {
  return Math.floor(((yes / LOT) * mark + (no / LOT) * (20_000 - mark)) / 2);
}

function shares(micro: number): string {
  return formatShares(microShares(micro));
}

/** Draws uniformly from 0..9999. Rejects numbers from 60,000, which would favour low codes. */
function drawCode(): number {
  for (;;) {
    const [high = 0, low = 0] = secureBytes(2);
    const number = high * 256 + low;
    if (number < 60_000) return number % 10_000;
  }
}
