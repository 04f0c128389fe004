"""The strategy of bench/strategies/requoter on hftbacktest. It quotes both sides at every twentieth message, one or two
ticks behind the best prices. Each message of the tape has its own time, so hftbacktest reads it as one feed event.

Usage: requoter.py DATA FILLS
Prints one JSON object. Writes each fill of a whole order to FILLS as three integers of 8 bytes: exchange time in ns,
1 for a bid or -1 for an ask, and price in ticks.
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

NS_PER_MS = 1_000_000
# Latencies of halfspread's default configuration: market data 50 ms (in the data), orders 80 ms, responses 40 ms.
ENTRY_NS = 80 * NS_PER_MS
RESPONSE_NS = 40 * NS_PER_MS
TICK = 0.001
MESSAGES_PER_QUOTE = 20
SIZE = 1.0
MARKET_FEED = 2
PRICE_TICKS = 1_000
# Longer than any pause in the tape.
DAY_NS = 86_400_000 * NS_PER_MS


@njit
def run(hbt, fills):
    messages = 0
    filled = 0
    orders = 0
    while hbt.wait_next_feed(False, DAY_NS) == MARKET_FEED:
        messages += 1
        if messages % MESSAGES_PER_QUOTE != 0:
            continue
        depth = hbt.depth(0)
        bid = depth.best_bid_tick
        ask = depth.best_ask_tick
        if bid <= 0 or ask >= PRICE_TICKS:
            continue
        distance = 2 if (messages // MESSAGES_PER_QUOTE) % 2 == 0 else 1
        if bid - distance <= 0 or ask + distance >= PRICE_TICKS:
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
        hbt.submit_buy_order(0, orders + 1, (bid - distance) * TICK, SIZE, GTX, LIMIT, False)
        hbt.submit_sell_order(0, orders + 2, (ask + distance) * TICK, SIZE, GTX, LIMIT, False)
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
    rows = np.zeros(MESSAGES_PER_QUOTE * 2, event_dtype)
    for at in range(len(rows)):
        side = BUY_EVENT if at % 2 == 0 else SELL_EVENT
        rows[at]["ev"] = DEPTH_EVENT | EXCH_EVENT | LOCAL_EVENT | side
        rows[at]["exch_ts"] = rows[at]["local_ts"] = (at + 1) * NS_PER_MS
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
