/** A level of which own orders consumed something in the present step: the public feed has to show what is left. */
export interface LevelChange {
  readonly market: number;
  /** As in rows. */
  readonly side: number;
  readonly price: number;
}
