/** What the operator does to the venue: accounts, mode, configuration. Works in every mode. */
import type { Accounts } from '../accounts/accounts.ts';
import type { Configure, OpenAccount, SetMode } from '../command.ts';
import { VENUE_MODES } from '../config.ts';
import type { Conditions } from './conditions.ts';
import { changedConfig, configRefusal, isSameConfig } from './defaults.ts';
import { type ExchangeLimits, fullRefusal } from './limits.ts';
import { refused } from './refused.ts';
import type { Teller } from './teller.ts';

/** What operations work on. */
export interface OperationsOf {
  readonly accounts: Accounts;
  readonly conditions: Conditions;
  readonly limits: ExchangeLimits;
  readonly teller: Teller;
}

/** Operates the venue. */
export class Operations {
  readonly #rooms: OperationsOf;

  constructor(rooms: OperationsOf) {
    this.#rooms = rooms;
  }

  openAccount({ address, unlimited }: OpenAccount): void {
    const { accounts, limits, teller } = this.#rooms;
    const full = fullRefusal(limits, 'accounts', accounts.count);
    if (accounts.find(address) !== 0) teller.refused(0, refused('CONFLICT', 'address'));
    else if (address === '' || address !== address.toLowerCase())
      teller.refused(0, refused('INVALID_ORDER', 'address'));
    else if (full !== undefined) teller.refused(0, full);
    else {
      const account = accounts.open(address, unlimited);
      teller.happened({ type: 'accountOpened', account, address, unlimited });
    }
  }

  /** The mode that holds already tells nothing. */
  setMode({ mode }: SetMode): void {
    const { conditions, teller } = this.#rooms;
    if (!VENUE_MODES.includes(mode)) teller.refused(0, refused('INVALID_ORDER', 'mode'));
    else if (mode !== conditions.mode) {
      conditions.mode = mode;
      teller.happened({ type: 'venueChanged' });
    }
  }

  /** What holds already tells nothing; a configuration that cannot be is refused whole. */
  configure({ config: change }: Configure): void {
    const { conditions, teller } = this.#rooms;
    const config = changedConfig(conditions.config, change);
    const refusal = config === undefined ? refused('INVALID_ORDER', 'config') : configRefusal(config);
    if (refusal !== undefined || config === undefined) {
      if (refusal !== undefined) teller.refused(0, refusal);
    } else if (!isSameConfig(config, conditions.config)) {
      conditions.config = config;
      teller.happened({ type: 'venueChanged' });
    }
  }
}
