/** `Shows` from those who answer the same objects in queries. */
import type { Clock } from '../../clock/index.ts';
import type { Archive, ExchangeView } from '../../exchange/index.ts';
import type { PublicShows } from '../resolvers/public/index.ts';
import {
  isOpenPosition,
  type PositionsShownBy,
  positionsOf,
  showBalance,
  showFill,
  showOrder,
  showPosition,
} from '../resolvers/trading/index.ts';
import type { WireIds } from '../wire-ids.ts';
import type { ShownPosition, Shows, VenueNotice } from './shows.ts';

/** What it takes. */
export interface ShowsOf {
  readonly view: ExchangeView;
  readonly ids: WireIds;
  readonly archive: Pick<Archive, 'fillsOfOrder' | 'holding' | 'order'>;
  readonly clock: Clock;
  readonly publicShows: PublicShows;
  readonly showMarket: PositionsShownBy['showMarket'];
  /** What the operator says at present. */
  readonly notice: () => VenueNotice | undefined;
}

/** Shows things as queries do. */
export function showsOf({ view, ids, archive, clock, publicShows, showMarket, notice }: ShowsOf): Shows {
  const positions = (account: number, market: number): readonly ShownPosition[] => {
    const record = view.market(market);
    const holding = view.holding(account, market);
    const row = archive.holding(account, market);
    if (record === undefined || holding === undefined || row === undefined) return [];
    return positionsOf(record, holding, row).map((position) => ({
      outcome: position.outcome,
      seq: { YES: row.yesSeq, NO: row.noSeq, CANCELLED: Math.max(row.yesSeq, row.noSeq) }[position.outcome],
      isPresent: isOpenPosition(position),
      value: showPosition(position, { view, showMarket }),
    }));
  };
  return {
    ...publicShows,
    notice,
    order: (row) => showOrder(row, { view, ids }),
    fill: (row) => showFill(row, { ids, archive }),
    positions,
    positionMarkets: (account) => view.holdingsOf(account).map(({ market }) => market),
    balance: (account) => {
      const value = showBalance(account, view, clock.now());
      const { seq: _seq, asOf: _asOf, ...cash } = value;
      return { mark: JSON.stringify(cash), value };
    },
  };
}
