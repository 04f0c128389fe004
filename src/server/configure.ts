/** Has the exchange take the configuration that a start brings. */
import { InputFault } from '../domain/index.ts';
import { CONFIG_KEYS, type ExchangeConfig } from '../exchange/index.ts';
import type { Desk } from './desk/index.ts';

/**
 * Changes the members that are given; nothing where there is none.
 * @throws InputFault for a member that cannot be so, or not beside the others: `exchange.` and its name
 */
export async function configure(desk: Desk, config: Partial<ExchangeConfig>): Promise<void> {
  if (Object.keys(config).length === 0) return;
  const events = await desk.ask({ type: 'configure', time: desk.now, config });
  const refused = events.find((event) => event.type === 'refused');
  if (refused === undefined) return;
  const { reason, field, limit, unit } = refused.refusal;
  const bound = limit === undefined ? '' : `: ${limit}${unit === undefined ? '' : ` ${unit}`}`;
  const key = CONFIG_KEYS.find((each) => each === field);
  const name = key === undefined ? 'exchange' : `exchange.${key}`;
  throw new InputFault(name, key === undefined ? config : config[key], `what the exchange takes (${reason}${bound})`);
}
