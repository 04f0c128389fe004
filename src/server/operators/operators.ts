/** The operators' interface: a token, a table of commands, and a record of executed commands. */
import { z } from 'zod';
import { formatTime } from '../../domain/index.ts';
import type { Json } from '../../exchange/index.ts';
import { CATALOGUE_COMMANDS } from './catalogue-commands.ts';
import { type OperatorCommand, type OperatorDeps, OperatorFault } from './command.ts';
import { LIST_COMMANDS } from './list-commands.ts';
import { MARKET_COMMANDS } from './market-commands.ts';
import { POLYMARKET_COMMANDS } from './polymarket-commands.ts';

import { VENUE_COMMANDS } from './venue-commands.ts';

export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  ...MARKET_COMMANDS,
  ...VENUE_COMMANDS,
  ...CATALOGUE_COMMANDS,
  ...LIST_COMMANDS,
  ...POLYMARKET_COMMANDS,
};

const ACTION_KEY_DIGITS = 12;
const requestSchema = z.looseObject({ command: z.string() });

export class Operators {
  readonly #deps: OperatorDeps;
  #count: number;

  constructor(deps: OperatorDeps) {
    this.#deps = deps;
    this.#count = Number(deps.registry.load('operatorAction').at(-1)?.key ?? 0);
  }

  /**
   * Runs `{command, …arguments}`. Records each command that changes something, also a refused one, with its time, source
   * and arguments.
   * @throws OperatorFault
   */
  async run(body: unknown, from: string): Promise<Json> {
    const request = requestSchema.safeParse(body);
    if (!request.success) throw new OperatorFault(400, 'INVALID', 'expected a JSON object with "command", a text');
    const { command: name, ...args } = request.data;
    const command = Object.hasOwn(OPERATOR_COMMANDS, name) ? OPERATOR_COMMANDS[name] : undefined;
    if (command === undefined) {
      const known = Object.keys(OPERATOR_COMMANDS).join(', ');
      throw new OperatorFault(
        404,
        'NO_COMMAND',
        `command: there is no ${JSON.stringify(name)}. The commands are ${known}`,
      );
    }
    const record = (outcome: string): void => this.#record({ command: name, args, from, outcome });
    try {
      return await command.run(args, { ...this.#deps, record: () => record('done') });
    } catch (fault) {
      if (command.changes && fault instanceof OperatorFault) {
        record(`${fault.code}: ${fault.message}`);
        this.#deps.registry.sync(() => {});
      }
      throw fault;
    }
  }

  #record(action: {
    readonly command: string;
    readonly args: object;
    readonly from: string;
    readonly outcome: string;
  }): void {
    this.#count += 1;
    const { command, from, outcome } = action;
    const args = JSON.stringify(action.args);
    const value = { at: formatTime(this.#deps.queue.now), command, arguments: args, from, outcome };
    this.#deps.registry.put({
      table: 'operatorAction',
      key: String(this.#count).padStart(ACTION_KEY_DIGITS, '0'),
      value,
    });
  }
}
