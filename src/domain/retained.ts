/**
 * Where the last of some short-lived objects stays until the next one comes. Nobody reads it.
 *
 * When all garbage is collected and no object of a class is there, V8 throws away what it has compiled for that class, and what it
 * has learned about it; at a few orders a second it takes minutes until that is back (docs/decisions/0019). So whoever makes
 * objects on the way of an order, and drops them again, keeps the last one.
 */
export interface Retained {
  last: object | undefined;
}
