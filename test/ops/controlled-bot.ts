/** A fake bot for tests of the control socket and port. It records the arguments of commands. */

import { connect } from 'node:net';
import { Fault, InputFault } from '../../src/domain/index.ts';
import type { ControlledBot } from '../../src/ops/control/bot-port.ts';
import type { BotStatus } from '../../src/ops/index.ts';

export const STATUS: BotStatus = {
  pid: 1,
  version: '0',
  startedAt: 0,
  now: 0,
  account: '0x',
  venue: 'http://x',
  mode: 'ACTIVE',
  killReason: null,
  killVerified: null,
  modeReason: null,
  venueModeReason: null,
  nextStep: null,
  venueMode: 'NORMAL',
  reconciled: 'agrees',
  recovery: null,
  link: 'UP',
  clockSkewMs: 0,
  cash: 0,
  available: 0,
  equity: 0,
  since: 0,
  pnl: 0,
  openOrders: 0,
  fills: 0,
  run: { pnl: 0, fills: 0 },
  strategies: [],
  refused: {},
  rejected: {},
  signals: { received: 0, refused: 0 },
  logProblem: null,
  markets: [],
};

/** Returns a bot, and the recorded arguments of its commands and of some queries. */
export function controlledBot(): { readonly bot: ControlledBot; readonly received: unknown[] } {
  const received: unknown[] = [];
  let commandCount = 0;
  let lastStop = 0;
  const bot: ControlledBot = {
    nextCommandNumber: () => {
      commandCount += 1;
      return commandCount;
    },
    status: () => STATUS,
    orders: () => [],
    positions: () => [],
    fills: (limit) => {
      received.push(['fills', limit]);
      return [];
    },
    operate: async (command, reason, number = bot.nextCommandNumber()) => {
      if (command === 'resume' && number < lastStop) throw new Fault('INPUT', 'a later command replaced it');
      received.push([command, reason]);
      if (command === 'kill' || command === 'pause') lastStop = number;
      return { mode: 'ACTIVE', text: 'done' };
    },
    cancelOrder: async (...given) => {
      received.push(given);
      return { mode: 'ACTIVE', text: 'cancelled' };
    },
    addMarket: async (...given) => {
      received.push(given);
      return { mode: 'ACTIVE', text: 'added' };
    },
    removeMarket: () => {
      throw new InputFault('market', 'nope', 'a market of this bot');
    },
    confirmFee: (...given) => {
      received.push(given);
      return { mode: 'ACTIVE', text: 'confirmed' };
    },
    setParameter: (...given) => {
      received.push(given);
      throw new Error('broken inside');
    },
    signal: (...given) => {
      received.push(given);
      return { mode: 'ACTIVE', text: 'delivered' };
    },
    reportJson: () => '{"a":1}',
    marketReportJson: (market) => JSON.stringify({ market }),
    log: (...given) => {
      received.push(given);
      return [];
    },
  };
  return { bot, received };
}

/** Sends text to a control socket. @returns the first lines of the answer, parsed */
export function sendLines(
  path: string,
  text: string,
  lines: number,
): Promise<readonly { ok: boolean; id: number; error: { message: string } }[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(text));
    let received = '';
    socket.on('error', reject);
    socket.on('data', (piece) => {
      received += piece;
      if (received.split('\n').length <= lines) return;
      socket.destroy();
      resolve(
        received
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
    });
  });
}
