/** Has the exchange take the configuration that a start brings. */
import { InputFault } from '../domain/index.ts';
import { CONFIG_KEYS, type ExchangeConfig } from '../exchange/index.ts';
import type { CommandQueue } from './command-queue.ts';

/**
 * Changes the members that are given; nothing where there is none.
 * @throws InputFault for a member that cannot be so, or not beside the others: `exchange.` and its name
 */
export async function configure(queue: CommandQueue, config: Partial<ExchangeConfig>): Promise<void> {
  if (Object.keys(config).length === 0) return;
  const events = await queue.execute({ type: 'configure', time: queue.now, config });
  const refused = events.find((event) => event.type === 'refused');
  if (refused === undefined) return;
  const { reason, field, limit, unit } = refused.refusal;
  const bound = limit === undefined ? '' : `: ${limit}${unit === undefined ? '' : ` ${unit}`}`;
  const key = CONFIG_KEYS.find((each) => each === field);
  const name = key === undefined ? 'exchange' : `exchange.${key}`;
  throw new InputFault(name, key === undefined ? config : config[key], `what the exchange takes (${reason}${bound})`);
}
