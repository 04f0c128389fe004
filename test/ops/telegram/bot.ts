/** A fake bot for chat commands. Its orders disappear when it is paused or killed. */

import { Fault } from '../../../src/domain/index.ts';
import type { BotPosition, ControlledBot } from '../../../src/ops/control/bot-port.ts';
import type { BotStatus } from '../../../src/ops/index.ts';
import type { ChatBot } from '../../../src/ops/telegram/command-chat.ts';
import { STATUS } from '../controlled-bot.ts';
import { LINE, REPORT } from '../metrics-source.ts';

const TODAY = { ...REPORT.today, from: 1_770_000_000_000 };

/** @param marks double mid by market */
export function chatBot(positions: readonly Partial<BotPosition>[] = [], marks: Readonly<Record<string, number>> = {}) {
  const executed: (readonly [string, string | undefined])[] = [];
  let phases: string[] = ['live', 'live'];
  let mode: BotStatus['mode'] = 'ACTIVE';
  let atVenue: number | Fault | undefined;
  const bot: ChatBot = {
    report: () => ({
      today: TODAY,
      markets: Object.entries(marks).map(([slug, doubleMid]) => ({ ...LINE, slug, doubleMid })),
    }),
    status: () => ({
      ...STATUS,
      available: 1_000_000,
      equity: 2_000_000,
      pnl: 500_000,
      fills: 3,
      mode,
      openOrders: phases.length,
    }),
    orders: () => phases.map((phase, order) => orderOf(order, phase)),
    positions: () =>
      positions.map((each) => {
        return { market: 'm', yes: 0, no: 0, yesCost: 0, noCost: 0, worth: 0, realized: 0, fees: 0, ...each };
      }),
    async operate(command, reason) {
      executed.push([command, reason]);
      if (command !== 'resume') phases = [];
      mode = command === 'kill' ? 'KILLED' : command === 'resume' ? 'ACTIVE' : 'PAUSED';
      return { mode, text: `${command} was done` };
    },
  };
  return {
    bot,
    executed,
    /** Replaces the number of open orders that the venue returns. */
    setVenueAnswer: (open: number | Fault) => {
      atVenue = open;
    },
    setOrders: (given: string[]) => {
      phases = given;
    },
    openAtVenue: async () => {
      if (atVenue instanceof Fault) throw atVenue;
      return atVenue ?? phases.length;
    },
  };
}

function orderOf(order: number, phase: string): ReturnType<ControlledBot['orders']>[number] {
  const terms = { outcome: 'YES', side: 'BUY', priceBps: 5_000, remaining: 1, since: 0, tag: null } as const;
  return { ...terms, order, market: 'm', phase };
}
