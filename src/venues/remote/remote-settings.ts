/** How the account of a remote venue is kept, and how often it is looked at. */

/** Times in ms. */
export interface RemoteSettings {
  /** The venue cancels our orders when it does not hear of us for so long; 0 for no heartbeat. Default 10,000. */
  readonly heartbeatMs: number;
  /** Own orders that an earlier run left standing. Default `cancel`. */
  readonly leftovers: 'cancel' | 'adopt';
  /** Takes the venue's word for whatever differs at the start and nothing explains. Default false. */
  readonly adopt: boolean;
  /** After so long without a word on the own stream its socket counts as frozen. Default 12,000. */
  readonly silenceMs: number;
  /** Between two comparisons with the venue; 0 for never. Default 15,000. */
  readonly auditMs: number;
  /** How long a split, merge or reduce whose answer was lost may still be carried out. Default 5,000. */
  readonly settleMs: number;
}

export const REMOTE_DEFAULTS: RemoteSettings = {
  heartbeatMs: 10_000,
  leftovers: 'cancel',
  adopt: false,
  silenceMs: 12_000,
  auditMs: 15_000,
  settleMs: 5_000,
};
