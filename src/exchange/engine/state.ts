/**
 * The exchange's whole state as one sequence of numbers and texts: what its hash counts and what a snapshot holds.
 *
 * Invariant: the sequence depends on what the exchange is, never on how it came to be so (slots, capacities, order of
 * opening holdings, dropped deadlines). It changes exactly when an event is told: a refusal, a duplicate and time that
 * passes without anything due leave it as it was, `now` included.
 *
 * The order (n a number, t a text; "by number" is ascending; a code counts from 0 in the order of the words' list):
 *
 *  1. n `STATE_VERSION`
 *  2. n now: time of the last command that told an event, 0 before the first; n seq; n code of the mode in VENUE_MODES
 *  3. the configuration: n each member of `CONFIG_KEYS`, in that order
 *  4. accounts and what they hold, as `accounts/` writes them (see there)
 *  5. markets by number, as `markets/` writes them (see there)
 *  6. n number of markets; for each by number: n seq of its book, n last trade in YES bps (0 before the first),
 *     n volume in micro-USD
 *  7. n orders accepted so far; for each by number: n its account
 *  8. n open orders; for each, by market, then YES price from the lowest up, then place in the queue: n market, n YES
 *     price, n order, n account, n kind (ORDER_KIND), n remaining, n expiration (0 for none), n credential, n group,
 *     n seq of its last fill (0 for none). The initial order of a market that is not open yet is among them.
 *  9. n groups made so far, n groups that live; for each by number: n group, n account, n maxFilled, n window,
 *     n 1 when tripped else 0, n fills in the window (time > now - window; those of one millisecond are one), for each
 *     from the oldest: n time, n shares
 * 10. n credentials that are armed, lapsed or revoked; for each by number: n credential, n account, n timeout and
 *     n deadline (both 0 unless armed), n 1 when lapsed else 0, n 1 when revoked else 0
 * 11. n identities remembered, t their running digest (identities.ts)
 * 12. n deadlines of markets that wait; for each by time, then market, then code: n time, n market, n code
 */

/** Raised when the order above changes: a snapshot of another version is refused. */
export const STATE_VERSION = 1;
