/** The operator's commands on accounts, mode and configuration, allowed in every mode. */
import { VENUE_MODES } from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Configure, OpenAccount, SetMode } from '../command.ts';
import { changedConfig, configRefusal, isSameConfig } from '../config.ts';
import { refused } from '../refusal.ts';
import type { Conditions } from './conditions.ts';
import type { EventSequencer } from './event-sequencer.ts';
import { type ExchangeLimits, fullRefusal } from './limits.ts';

export interface OperationsDeps {
  readonly accounts: Accounts;
  readonly conditions: Conditions;
  readonly limits: ExchangeLimits;
  readonly sequencer: EventSequencer;
}

export class Operations {
  readonly #context: OperationsDeps;

  constructor(context: OperationsDeps) {
    this.#context = context;
  }

  openAccount({ address, unlimited }: OpenAccount): void {
    const { accounts, limits, sequencer } = this.#context;
    const full = fullRefusal(limits, 'accounts', accounts.count);
    if (accounts.find(address) !== 0) sequencer.refused(0, refused('CONFLICT', 'address'));
    else if (address === '' || address !== address.toLowerCase())
      sequencer.refused(0, refused('INVALID_ORDER', 'address'));
    else if (full !== undefined) sequencer.refused(0, full);
    else {
      const account = accounts.open(address, unlimited);
      sequencer.happened({ type: 'accountOpened', account, address, unlimited });
    }
  }

  /** Has no event if the mode is already set. */
  setMode({ mode }: SetMode): void {
    const { conditions, sequencer } = this.#context;
    if (!VENUE_MODES.includes(mode)) sequencer.refused(0, refused('INVALID_ORDER', 'mode'));
    else if (mode !== conditions.mode) {
      conditions.mode = mode;
      sequencer.happened({ type: 'venueChanged' });
    }
  }

  /** Has no event if nothing changes; an invalid change is refused as a whole. */
  configure({ config: change }: Configure): void {
    const { conditions, sequencer } = this.#context;
    const config = changedConfig(conditions.config, change);
    const refusal = config === undefined ? refused('INVALID_ORDER', 'config') : configRefusal(config);
    if (refusal !== undefined || config === undefined) {
      if (refusal !== undefined) sequencer.refused(0, refusal);
    } else if (!isSameConfig(config, conditions.config)) {
      conditions.config = config;
      sequencer.happened({ type: 'venueChanged' });
    }
  }
}
