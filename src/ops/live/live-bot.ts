/**
 * A trading bot: its run with kill switch, operator commands, alerts and shutdown. `app/live/` assembles the bot.
 *
 * Invariant: the bot ends once, by a signal or a fault. Before its end, the bot tries to cancel every order and checks
 * at the venue for open orders.
 */
import { repeatEvery, withTimeout } from '../../clock/index.ts';
import { Fault, type OperatorCommand } from '../../domain/index.ts';
import { parseSignal } from '../../history/index.ts';
import type { RecoveryReport, Step } from '../../runtime/index.ts';
import type { BotStatus, CommandResult, ControlledBot, LogReport, SetScope } from '../control/bot-port.ts';
import { BotFeed } from '../feed/bot-feed.ts';
import type { MeasuredReport } from '../feed/report-types.ts';
import { Guard } from '../guard/guard.ts';
import type { Kill } from '../guard/kill-switch.ts';
import { SignalIntake } from '../signals/signal-intake.ts';
import { startSource, unreadSignalWarnings } from '../signals/signal-sources.ts';
import { LogWatch, MarketStatusWatch, reportReversedFills } from './bot-alerts.ts';
import { listFills, listOrders, listPositions, liveStatus } from './bot-view.ts';
import { cancelOrder } from './cancel-order.ts';
import type { LiveBotDeps } from './live-bot-deps.ts';
import { MarketFees } from './market-fees.ts';
import { assertAllowed, commandText, killedText } from './mode-text.ts';
import { RecoveryWatch } from './recovery-watch.ts';
import type { LiveEnd } from './run-outcome.ts';
import { verifyNoOpenOrders } from './verify-no-open-orders.ts';

const CHECK_INTERVAL_MS = 250;
const KILL_TIMEOUT_MS = 20_000;
/** Commands after which the bot sends orders again. */
const TRADING_COMMANDS: ReadonlySet<OperatorCommand> = new Set(['resume', 'reduce', 'flatten']);

export class LiveBot implements ControlledBot {
  /** Resolves with the fault of a strategy, the venue or the disk that ends the run. */
  readonly failed: Promise<Error>;
  readonly #deps: LiveBotDeps;
  readonly #guard: Guard;
  readonly #startedAt: number;
  readonly #marketStatusWatch: MarketStatusWatch;
  readonly #fees: MarketFees;
  readonly #logWatch: LogWatch;
  readonly #recoveries: RecoveryWatch;
  readonly #signals: SignalIntake;
  readonly #feed: BotFeed;
  #stopSources: readonly (() => void)[] = [];
  #pnlAtStart = 0;
  #isRunning = false;
  #hasBegun = false;
  #isOver = false;
  /** Number of commands that arrived, and of kills by the bot itself. */
  #commandCount = 0;
  /** The command that arrived last, of those that change the mode and whose turn has come. */
  #latest: { readonly command: OperatorCommand; readonly number: number } = { command: 'resume', number: 0 };
  #stopChecks: () => void = () => {};

  constructor(deps: LiveBotDeps) {
    this.#deps = deps;
    this.failed = deps.outcome.failed;
    this.#startedAt = deps.clock.now();
    this.#marketStatusWatch = new MarketStatusWatch(deps);
    this.#fees = new MarketFees(deps);
    this.#logWatch = new LogWatch(deps);
    this.#recoveries = new RecoveryWatch(deps);
    this.#signals = new SignalIntake({ ...deps, onFailed: (error) => deps.outcome.fail(error) });
    this.#feed = new BotFeed(deps, () => this.status());
    this.#guard = new Guard(deps);
  }

  /** Whether strategies have started, so that orders may have been sent. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  nextCommandNumber(): number {
    this.#commandCount += 1;
    return this.#commandCount;
  }

  /** Connects, reconciles, starts the strategies. @throws Fault */
  async start(): Promise<void> {
    const { run, state, signalSources, clock, log } = this.#deps;
    await run.start();
    this.#isRunning = !this.#isOver;
    this.#pnlAtStart = state.exitEquity - state.contributed;
    this.#hasBegun = true;
    if (!this.#isRunning) return;
    this.#stopChecks = repeatEvery(clock, CHECK_INTERVAL_MS, () => this.#check());
    // Without a market, no strategy instance exists yet.
    if (state.markets.length > 0) {
      for (const problem of unreadSignalWarnings(signalSources, run.signalNames())) log.warn({}, problem);
    }
    this.#stopSources = signalSources.map((source) => startSource(source, this.#signals, clock));
    this.#deps.onStarted?.();
  }

  onSteps(steps: readonly Step[]): void {
    this.#fees.onSteps(steps);
    this.#feed.onSteps(steps);
    reportReversedFills(steps, this.#deps);
    this.#enforce(this.#deps.killSwitch.onSteps(steps));
  }

  onCommandResent(command: string, problem: string): void {
    this.#enforce(this.#deps.killSwitch.onCommandResent(this.#deps.clock.now(), `${command} (${problem})`));
  }

  /** Reports a start or recovery. Pauses a bot whose account disagrees with the venue. */
  onRecovered(report: RecoveryReport): void {
    this.#recoveries.onRecovered(report);
  }

  kill(reason: Kill['reason'], text: string, number = this.nextCommandNumber()): void {
    this.#setLatest('kill', number);
    this.#guard.trip({ reason, text });
  }

  /**
   * Stops strategies, cancels every order, checks for open orders at the venue. Waits at most ten seconds for the
   * venue. Never rejects. @param stopWaiting ends the wait when it resolves
   */
  async stop(fault: Error | undefined, stopWaiting: Promise<void>): Promise<LiveEnd> {
    const { run, log } = this.#deps;
    const isFirstStop = !this.#isOver;
    const isConnected = this.#isRunning;
    this.close();
    // A run that is still connecting must stop, too, so that it does not start to trade after the final check.
    if (isFirstStop && run.fault === undefined) {
      try {
        run.stop();
      } catch (error) {
        log.error({ err: error }, 'the run did not stop cleanly');
      }
    }
    const open = await Promise.race([
      verifyNoOpenOrders(this.#deps, { startedAt: this.#startedAt, isConnected }),
      stopWaiting.then(() => null),
    ]);
    const end = { open, fault: fault ?? run.fault };
    this.#deps.outcome.setEnd(end);
    return end;
  }

  /** Stops timers and signal sources without a request to the venue. */
  close(): void {
    this.#isOver = true;
    this.#isRunning = false;
    this.#stopChecks();
    this.#feed.close();
    for (const stop of this.#stopSources) stop();
  }

  status(): BotStatus {
    return liveStatus(this.#deps, {
      startedAt: this.#startedAt,
      pnlAtStart: this.#pnlAtStart,
      isKillVerified: this.#guard.verified?.isVerified,
      recovery: this.#recoveries.last,
      signals: this.#signals.counts,
    });
  }

  orders(): ReturnType<ControlledBot['orders']> {
    return listOrders(this.#deps.state);
  }

  positions(): ReturnType<ControlledBot['positions']> {
    return listPositions(this.#deps.state);
  }

  fills(limit: number): ReturnType<ControlledBot['fills']> {
    const { state, counters, earlierRuns } = this.#deps;
    const fills = listFills(state, counters, limit);
    return [...fills, ...earlierRuns.fills.slice(0, limit - fills.length)];
  }

  report(): MeasuredReport {
    return this.#feed.report();
  }

  reportJson(): string {
    return this.#feed.reportJson();
  }

  marketReportJson(market: string): string {
    return this.#feed.marketReportJson(market);
  }

  log(level: LogReport['level'], limit: number, after: number | undefined): readonly LogReport[] {
    return this.#deps.recentLog.read(level, limit, after);
  }

  async operate(
    command: OperatorCommand,
    reason: string | undefined,
    number = this.nextCommandNumber(),
  ): Promise<CommandResult> {
    const { run, killSwitch, gate, health, recheck, commandLine } = this.#deps;
    this.#assertRunning();
    const reasonText = reason ?? 'operator';
    if (command === 'kill') {
      this.kill('COMMAND', reasonText, number);
      return this.#killResult();
    }
    if (command !== 'cancelAll') this.#setLatest(command, number);
    const resume = commandLine('resume');
    assertAllowed(command, gate, resume);
    if (TRADING_COMMANDS.has(command)) {
      // Trading must not start with a position that differs from the venue's.
      if (health().reconciled === 'disagrees') await recheck?.();
      const latest = this.#latest;
      if (latest.number > number)
        throw new Fault('INPUT', `${command} was not executed, because a later \`${latest.command}\` arrived`);
    }
    if (command === 'resume') killSwitch.reset();
    run.submit({ type: 'operatorCommanded', command, reason: reasonText });
    return { mode: gate.mode, text: commandText(command, gate, resume) };
  }

  async cancelOrder(order: number): Promise<CommandResult> {
    this.#assertRunning();
    const text = await cancelOrder(this.#deps, order);
    return { mode: this.#deps.gate.mode, text };
  }

  async addMarket(market: string, params: Readonly<Record<string, unknown>>): Promise<CommandResult> {
    this.#assertRunning();
    const text = await this.#deps.changes.addMarket(market, params);
    return { mode: this.#deps.gate.mode, text };
  }

  removeMarket(market: string): CommandResult {
    return this.#execute(() => this.#deps.changes.removeMarket(market));
  }

  confirmFee(market: string, feeBps: number): CommandResult {
    return this.#execute(() => this.#fees.confirm(market, feeBps));
  }

  setParameter(name: string, value: unknown, scope: SetScope): CommandResult {
    return this.#execute(() => this.#deps.changes.setParameter(name, value, scope));
  }

  signal(signal: Parameters<ControlledBot['signal']>[0]): CommandResult {
    return this.#execute(() => {
      this.#signals.deliver('control', () => parseSignal(signal));
      return `${signal.name} = ${signal.value} was delivered to the strategies`;
    });
  }

  #execute(action: () => string): CommandResult {
    this.#assertRunning();
    const text = action();
    return { mode: this.#deps.gate.mode, text };
  }

  #enforce(kill: Kill | undefined): void {
    if (kill === undefined) return;
    this.#setLatest('kill', this.nextCommandNumber());
    this.#guard.enforce(kill);
  }

  #setLatest(command: OperatorCommand, number: number): void {
    if (number > this.#latest.number) this.#latest = { command, number };
  }

  /** Waits for the guard's check, so that the operator sees its result. */
  async #killResult(): Promise<CommandResult> {
    const { clock, gate, killSwitch, commandLine, venueCommandLine } = this.#deps;
    // The guard acts in the next microtask.
    await Promise.resolve();
    const verified = await withTimeout(clock, KILL_TIMEOUT_MS, this.#guard.settled(), () => undefined);
    const killReason = killSwitch.tripped?.text ?? '';
    const commands = { resume: commandLine('resume'), listOrders: venueCommandLine('orders') };
    return { mode: gate.mode, text: killedText(killReason, verified, commands) };
  }

  #assertRunning(): void {
    if (!this.#isRunning) throw new Fault('CONTROL', 'the bot is starting or ending: try again, or read its log');
  }

  #check(): void {
    const { clock, health, killSwitch, storeStateAndLease, state } = this.#deps;
    const { skewMs, ages, reconciled } = health();
    // Ended markets get no messages, and a new market has no book yet.
    const isOpen = (market: number): boolean => state.markets[market]?.state.status === 'OPEN';
    const openAges = ages.filter(({ market, ageMs }) => Number.isFinite(ageMs) && isOpen(market));
    const freshestBookMs = openAges.length === 0 ? undefined : Math.min(...openAges.map(({ ageMs }) => ageMs));
    const isDisputed = reconciled === 'disagrees';
    this.#enforce(killSwitch.check({ now: clock.now(), skewMs, freshestBookMs, isDisputed }));
    this.#marketStatusWatch.check();
    this.#logWatch.check();
    try {
      storeStateAndLease();
    } catch (error) {
      this.#deps.outcome.fail(error);
    }
  }
}
