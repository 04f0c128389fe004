/**
 * The initial settings of an exchange. The stored settings never change, because a replay of the exchange's records
 * begins with these settings. `configure` changes the current settings by commands.
 */
import { z } from 'zod';
import { type DurationMs, durationMs, Fault, InputFault } from '../domain/index.ts';
import {
  CONFIG_KEYS,
  DEFAULT_CONFIG,
  type ExchangeConfig,
  type Json,
  QUOTE_POLICIES,
  type QuotePolicyName,
  type Registry,
} from '../exchange/index.ts';
import type { CommandQueue } from './command-queue.ts';

export interface InitialSettings {
  readonly config: ExchangeConfig;
  /** Fixed for the lifetime of the exchange. */
  readonly quotePolicy: QuotePolicyName;
}

/** Stored in existing files, so this name must not change. */
const INITIAL_SETTINGS_KEY = 'exchange.genesis';
const DEFAULT_POLICY = 'additive';
const initialSettingsRow = z.object({
  config: z.record(z.string(), z.unknown()),
  quotePolicy: z.custom<QuotePolicyName>((name) => typeof name === 'string' && Object.hasOwn(QUOTE_POLICIES, name)),
});

/**
 * Returns the stored settings, or new settings, which are written with the first batch.
 * @param quotePolicy the configured policy; undefined to use the stored policy
 * @throws InputFault when the stored policy differs from `quotePolicy`
 */
export function loadInitialSettings(registry: Registry, quotePolicy: QuotePolicyName | undefined): InitialSettings {
  const stored = registry.find('setting', INITIAL_SETTINGS_KEY);
  if (stored === undefined) {
    const settings = { config: DEFAULT_CONFIG, quotePolicy: quotePolicy ?? DEFAULT_POLICY };
    registry.put({
      table: 'setting',
      key: INITIAL_SETTINGS_KEY,
      value: { ...settings, config: { ...settings.config } },
    });
    return settings;
  }
  const settings = decodeInitialSettings(stored);
  if (quotePolicy !== undefined && quotePolicy !== settings.quotePolicy) {
    const expected = `"${settings.quotePolicy}", with which this exchange began`;
    throw new InputFault('quote_policy', quotePolicy, expected);
  }
  return settings;
}

/** @throws Fault when the stored settings are missing or invalid */
export function readInitialSettings(registry: Registry): InitialSettings {
  return decodeInitialSettings(registry.find('setting', INITIAL_SETTINGS_KEY) ?? null);
}

function decodeInitialSettings(json: Json): InitialSettings {
  const { success, data } = initialSettingsRow.safeParse(json);
  if (!success) {
    const problem = 'the initial settings of the exchange are missing or invalid in the registry';
    throw new Fault('REGISTRY', `${problem}. Put back a good copy of the file`);
  }
  const storedKeys = CONFIG_KEYS.filter((key) => typeof data.config[key] === 'number');
  const config = Object.fromEntries(storedKeys.map((key) => [key, data.config[key]]));
  return { config: { ...DEFAULT_CONFIG, ...config }, quotePolicy: data.quotePolicy };
}

/**
 * Changes settings of the running exchange. Sends no command for an empty `config` or an unchanged window.
 * @param reversalWindow how long a trade can be reversed
 * @throws InputFault that names a refused setting, as `exchange.<key>`
 */
export async function configure(
  queue: CommandQueue,
  config: Partial<ExchangeConfig>,
  reversalWindow: DurationMs = durationMs(0),
): Promise<void> {
  if (queue.view.reversals.window !== reversalWindow)
    await queue.execute({ type: 'allowReversals', time: queue.now, window: reversalWindow });
  if (Object.keys(config).length === 0) return;
  const events = await queue.execute({ type: 'configure', time: queue.now, config });
  const refused = events.find((event) => event.type === 'refused');
  if (refused === undefined) return;
  const { reason, field, limit, unit } = refused.refusal;
  const bound = limit === undefined ? '' : `: ${limit}${unit === undefined ? '' : ` ${unit}`}`;
  const key = CONFIG_KEYS.find((candidate) => candidate === field);
  const expected = `a value that the exchange accepts (${reason}${bound})`;
  if (key === undefined) throw new InputFault('exchange', config, expected);
  throw new InputFault(`exchange.${key}`, config[key], expected);
}
