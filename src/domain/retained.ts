/**
 * Retains the last of several short-lived objects until the next one replaces it. The object is never read.
 *
 * When a full garbage collection finds no object of a class, V8 discards the compiled code and type feedback of that
 * class. At a few orders a second it takes minutes to get them back (docs/decisions/0019). So code that creates
 * short-lived objects for each order retains the last one.
 */
export interface Retained {
  last: object | undefined;
}
