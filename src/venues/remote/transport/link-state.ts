/** How a connection to the venue is. */
export interface LinkState {
  readonly isUp: boolean;
  /** Why it is not, or why the last try to mend it failed. */
  readonly problem?: string;
  /** Something that is no venue, or does not let us in, answered: trying on may be of no use. */
  readonly isBlocked?: boolean;
}
