"""The strategy of bench/strategies/requoter on hftbacktest: quotes both sides of every twentieth message, one tick or
two outside of the touch. A feed of its data is one message of the tape, as each has a time of its own.

Usage: requoter.py DATA FILLS
Prints one JSON object. Writes the fills of whole orders to FILLS: exchange time in ns (i8), 1 bid or -1 ask (i8) and
price in ticks (i8) each.
"""
import json
import resource
import sys
import time

import numpy as np
from hftbacktest import (
    BUY,
    BUY_EVENT,
    DEPTH_EVENT,
    EXCH_EVENT,
    FILLED,
    GTX,
    LIMIT,
    LOCAL_EVENT,
    SELL_EVENT,
    BacktestAsset,
    ROIVectorMarketDepthBacktest,
)
from hftbacktest.types import event_dtype
from numba import njit

MS = 1_000_000
# Latencies of halfspread's default configuration: market data 50 ms (in the data), orders 80 ms, responses 40 ms.
ENTRY_NS = 80 * MS
RESPONSE_NS = 40 * MS
TICK = 0.001
EVERY = 20
SIZE = 1.0
MARKET_FEED = 2
MOST_TICKS = 1_000
# Longer than any pause in the tape.
DAY_NS = 86_400_000 * MS


@njit
def run(hbt, fills):
    messages = 0
    filled = 0
    orders = 0
    while hbt.wait_next_feed(False, DAY_NS) == MARKET_FEED:
        messages += 1
        if messages % EVERY != 0:
            continue
        depth = hbt.depth(0)
        bid = depth.best_bid_tick
        ask = depth.best_ask_tick
        if bid <= 0 or ask >= MOST_TICKS:
            continue
        away = 2 if (messages // EVERY) % 2 == 0 else 1
        if bid - away <= 0 or ask + away >= MOST_TICKS:
            continue
        open_orders = hbt.orders(0).values()
        while open_orders.has_next():
            order = open_orders.get()
            if order.status == FILLED:
                fills[filled, 0] = order.exch_timestamp
                fills[filled, 1] = 1 if order.side == BUY else -1
                fills[filled, 2] = order.price_tick
                filled += 1
            elif order.cancellable:
                hbt.cancel(0, order.order_id, False)
        hbt.clear_inactive_orders(0)
        hbt.submit_buy_order(0, orders + 1, (bid - away) * TICK, SIZE, GTX, LIMIT, False)
        hbt.submit_sell_order(0, orders + 2, (ask + away) * TICK, SIZE, GTX, LIMIT, False)
        orders += 2
    return messages, orders, filled


def backtest(data):
    asset = (
        BacktestAsset()
        .data(data)
        .linear_asset(1.0)
        .constant_order_latency(ENTRY_NS, RESPONSE_NS)
        .risk_adverse_queue_model()
        .no_partial_fill_exchange()
        .trading_value_fee_model(0.0, 0.0)
        .tick_size(TICK)
        .lot_size(0.01)
        .last_trades_capacity(0)
        .roi_lb(0.0)
        .roi_ub(1.0)
    )
    return ROIVectorMarketDepthBacktest([asset])


def compile_run():
    """Runs a few messages, so that the timed loop is compiled."""
    rows = np.zeros(EVERY * 2, event_dtype)
    for at in range(len(rows)):
        side = BUY_EVENT if at % 2 == 0 else SELL_EVENT
        rows[at]["ev"] = DEPTH_EVENT | EXCH_EVENT | LOCAL_EVENT | side
        rows[at]["exch_ts"] = rows[at]["local_ts"] = (at + 1) * MS
        rows[at]["px"] = 0.4 if at % 2 == 0 else 0.6
        rows[at]["qty"] = 10.0
    hbt = backtest(rows)
    run(hbt, np.zeros((10, 3), np.int64))
    hbt.close()


def main():
    data, path = sys.argv[1:]
    compile_run()
    fills = np.zeros((2_000_000, 3), np.int64)
    hbt = backtest(data)
    begun = time.perf_counter()
    messages, orders, filled = run(hbt, fills)
    seconds = time.perf_counter() - begun
    hbt.close()
    fills[:filled].tofile(path)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"seconds": seconds, "messages": messages, "orders": orders, "fills": filled, "peakRssMb": peak_mb}))


main()
