/**
 * Receives commands from Telegram by long polling while a bot runs, and sends the answers.
 *
 * Invariant: a message that was sent before the start is never executed. The start confirms all waiting updates to
 * Telegram. After the start, each request confirms the updates before it.
 */
import { type Clock, sleep } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import { ReportLimiter } from '../../network/index.ts';
import type { SendAlert } from '../alerts/alert.ts';
import type { Log } from '../log/log.ts';
import { type ApiProblem, BotApi, type BotApiOptions, type ChatMessage, type Update } from './bot-api.ts';
import { CommandChat, type CommandChatDeps } from './command-chat.ts';

export interface CommandPollerOptions extends Omit<CommandChatDeps, 'ignoredCount'>, Omit<BotApiOptions, 'clock'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly alert: SendAlert;
  /** Ids of the chats whose commands are executed. */
  readonly chats: readonly string[];
  /** Wait after the first failed request, ms. It doubles up to a minute. Default 1,000. */
  readonly firstWaitMs?: number;
  /** Time after which a running command sends a notice, ms. Default 3,000. */
  readonly noticeMs?: number;
}

const LONGEST_WAIT_MS = 60_000;
const ALERT_AFTER_OUTAGE_MS = 300_000;
const MAX_RUNNING_COMMANDS = 20;
const ANSWER_TRIES = 3;
/** Statuses for a wrong or revoked token. No later request can succeed. */
const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403, 404]);
const CONFLICT = 409;
const STILL_RUNNING = 'The command is being executed. The bot waits for the venue.';
const JUST_STARTED = 'The bot has just started. Earlier messages have no effect: send yours again.';

export class CommandPoller {
  readonly #options: CommandPollerOptions;
  readonly #api: BotApi;
  readonly #chat: CommandChat;
  readonly #ignoredReports = new ReportLimiter(LONGEST_WAIT_MS);
  readonly #running = new Set<Promise<void>>();
  #polling: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();
  ignoredCount = 0;
  /** The first unhandled update; undefined until the start has confirmed all waiting updates. */
  #offset: number | undefined;
  /** Ids of the updates in the last non-empty answer. */
  #handled: ReadonlySet<number> = new Set();
  #failingSince: number | undefined;
  #isOutageReported = false;

  constructor(options: CommandPollerOptions) {
    this.#options = options;
    this.#api = new BotApi(options);
    this.#chat = new CommandChat({ ...options, ignoredCount: () => this.ignoredCount });
  }

  start(): void {
    this.#polling = this.#poll();
  }

  /** Aborts the pending request and answers in flight. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#api.close();
    await this.#polling;
  }

  async #poll(): Promise<void> {
    const { firstWaitMs = 1_000, log, clock } = this.#options;
    let waitMs = firstWaitMs;
    while (!this.#closing.signal.aborted) {
      const startedAt = clock.now();
      const result = await this.#api.updates(this.#offset ?? -1);
      if (this.#closing.signal.aborted) return;
      if ('problem' in result) {
        if (!this.#onProblem(result)) return;
        await sleep(clock, Math.max(result.retryAfterMs ?? 0, waitMs), this.#closing.signal);
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
        continue;
      }
      waitMs = firstWaitMs;
      if (this.#failingSince !== undefined) log.info({}, 'telegram: commands are received again');
      this.#failingSince = undefined;
      this.#isOutageReported = false;
      const updates = result.filter(({ id }) => !this.#handled.has(id));
      this.#handle(updates);
      // Sleep, in case the server ignores the timeout and the confirmations.
      if (updates.length === 0 && clock.now() - startedAt < firstWaitMs)
        await sleep(clock, firstWaitMs, this.#closing.signal);
    }
  }

  #handle(updates: readonly Update[]): void {
    const isStart = this.#offset === undefined;
    if (updates.length > 0) this.#handled = new Set(updates.map(({ id }) => id));
    this.#offset = updates.reduce((next, { id }) => Math.max(next, id + 1), this.#offset ?? 0);
    for (const { message } of updates) {
      if (message === undefined) continue;
      if (!this.#options.chats.includes(message.chat)) this.#ignore(message);
      else if (isStart) this.#reply(message.chat, Promise.resolve(JUST_STARTED));
      else if (this.#running.size < MAX_RUNNING_COMMANDS) this.#reply(message.chat, this.#chat.answer(message));
      else this.#options.log.warn({}, 'telegram: a message was ignored: too many commands run');
    }
  }

  /** Sends no answer to chats that are not allowed. */
  #ignore({ chat, sender }: ChatMessage): void {
    const { clock, log } = this.#options;
    this.ignoredCount += 1;
    if (this.#ignoredReports.count('ignored', clock.now()) === undefined) return;
    log.warn(
      { chat, sender, ignored: this.ignoredCount },
      'telegram: a message of a chat that is not allowed was ignored',
    );
  }

  #reply(chat: string, answer: Promise<string>): void {
    const { clock, noticeMs = 3_000 } = this.#options;
    const notice = (): void => void this.#send(chat, STILL_RUNNING);
    const cancel = clock.schedule(timeAfter(clock.now(), noticeMs), notice);
    const sent = answer
      .finally(cancel)
      .then((text) => this.#send(chat, text))
      .finally(() => this.#running.delete(sent));
    this.#running.add(sent);
  }

  async #send(chat: string, text: string): Promise<void> {
    const { clock, log, firstWaitMs = 1_000 } = this.#options;
    for (let left = ANSWER_TRIES; !this.#closing.signal.aborted; ) {
      const failed = await this.#api.send(chat, text);
      if (failed === undefined) return;
      left -= 1;
      if (left === 0) {
        log.warn({ problem: failed.problem }, 'telegram: an answer could not be sent');
        return;
      }
      await sleep(clock, failed.retryAfterMs ?? firstWaitMs, this.#closing.signal);
    }
  }

  /** @returns whether a later request may succeed */
  #onProblem({ problem, status }: ApiProblem): boolean {
    const { log, alert, clock } = this.#options;
    const isFirst = this.#failingSince === undefined;
    this.#failingSince ??= clock.now();
    const isFinal = status !== undefined && UNAUTHORIZED.has(status);
    const isLong = clock.now() - this.#failingSince >= ALERT_AFTER_OUTAGE_MS;
    const remedy = remedyText(status);
    if (isFirst || isFinal) log.error({ problem, status }, `telegram: no commands are received. ${remedy}`);
    if (!this.#isOutageReported && (isFinal || status === CONFLICT || isLong)) {
      this.#isOutageReported = true;
      const text = `halfspread receives no commands from Telegram: ${problem}. ${remedy}`;
      alert('commands', text, { status: status ?? 0 });
    }
    return !isFinal;
  }
}

function remedyText(status: number | undefined): string {
  if (status === CONFLICT)
    return 'Another program receives the messages of this Telegram bot: end it, or create a separate Telegram bot. Trying again until then';
  if (status !== undefined && UNAUTHORIZED.has(status)) return 'Correct the token and start the bot again';
  return 'Trying again until it answers';
}
