/** The operator's commands on accounts, mode and configuration, allowed in every mode. */
import { VENUE_MODES } from '../../domain/index.ts';
import type { Configure, OpenAccount, SetMode } from '../command.ts';
import { changedConfig, configRefusal, isSameConfig } from '../config.ts';
import { type Refusal, refused } from '../refusal.ts';
import type { ExchangeState } from './exchange-state.ts';

export function openAccount(state: ExchangeState, { address, unlimited }: OpenAccount): Refusal | undefined {
  const { accounts, sequencer } = state;
  if (accounts.find(address) !== 0) return refused('CONFLICT', 'address');
  if (address === '' || address !== address.toLowerCase()) return refused('INVALID_ORDER', 'address');
  const full = state.fullRefusal('accounts', accounts.count);
  if (full !== undefined) return full;
  const account = accounts.open(address, unlimited);
  sequencer.happened({ type: 'accountOpened', account, address, unlimited });
  return undefined;
}

/** Emits no event if the mode is already set. */
export function setMode({ conditions, sequencer }: ExchangeState, { mode }: SetMode): Refusal | undefined {
  if (!VENUE_MODES.includes(mode)) return refused('INVALID_ORDER', 'mode');
  if (mode === conditions.mode) return undefined;
  conditions.mode = mode;
  sequencer.happened({ type: 'venueChanged' });
  return undefined;
}

/** Emits no event if nothing changes. An invalid change is refused as a whole. */
export function configure({ conditions, sequencer }: ExchangeState, command: Configure): Refusal | undefined {
  const config = changedConfig(conditions.config, command.config);
  if (config === undefined) return refused('INVALID_ORDER', 'config');
  const refusal = configRefusal(config);
  if (refusal !== undefined || isSameConfig(config, conditions.config)) return refusal;
  conditions.config = config;
  sequencer.happened({ type: 'venueChanged' });
  return undefined;
}
