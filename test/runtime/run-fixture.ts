import { SimClock } from '../../src/clock/index.ts';
import { epochMs, type OrderCommand, type VenueEvent } from '../../src/domain/index.ts';
import {
  type EventStore,
  Run,
  type Step,
  type StrategyInstance,
  TradingCore,
  type Venue,
  type VenueSink,
} from '../../src/runtime/index.ts';
import type { RunOptions } from '../../src/runtime/run.ts';
import { messages } from '../state/messages.ts';
import { account } from '../state/world.ts';
import { commandTexts, FakePlanner, FakeRisk } from './fakes.ts';

/** A run whose venue, store and observer write into one log. */
export class RunFixture {
  readonly log: string[] = [];
  readonly steps: Step[] = [];
  readonly clock = new SimClock(epochMs(1_000));
  readonly risk = new FakeRisk();
  readonly planner = new FakePlanner();
  readonly run: Run;
  sink: VenueSink | undefined;
  /** Called before `connect` resolves, for events that the venue sends while it connects. */
  onConnect: (sink: VenueSink) => void = () => undefined;
  onSend: (commands: readonly OrderCommand[]) => void = () => undefined;
  onAppend: () => void = () => undefined;

  constructor(instances: readonly StrategyInstance[], options: Partial<RunOptions> = {}) {
    const core = new TradingCore({ state: account(), instances, risk: this.risk, planner: this.planner });
    const listener = (steps: readonly Step[]) => void this.log.push(`seen ${numbers(steps)}`);
    this.run = new Run({
      core,
      instances,
      clock: this.clock,
      venue: this.#venue(),
      store: this.#store(),
      stepListeners: [listener],
      ...options,
    });
  }

  rows(text: string): void {
    const block = messages(text);
    this.sink?.rows(block, 0, block.count);
  }

  event(event: VenueEvent): void {
    this.sink?.event(event);
  }

  /** Returns and clears the log. */
  received(): readonly string[] {
    return this.log.splice(0);
  }

  #venue(): Venue {
    return {
      connect: (sink) => {
        this.sink = sink;
        this.log.push('connect');
        this.onConnect(sink);
        return Promise.resolve({
          send: (commands) => {
            this.log.push(`send ${commandTexts(commands).join(', ')}`);
            this.onSend(commands);
          },
          close: () => {
            this.log.push('close');
            return Promise.resolve();
          },
        });
      },
    };
  }

  #store(): EventStore {
    return {
      append: (steps) => {
        this.log.push(`store ${numbers(steps)}`);
        this.onAppend();
        this.steps.push(...steps);
      },
    };
  }
}

function numbers(steps: readonly Step[]): string {
  return steps.map(({ seq }) => seq).join(' ');
}
