/**
 * Retains the last of several short-lived objects, which nobody reads, until the next one replaces it.
 *
 * When a full garbage collection finds no object of a class, V8 discards the class's compiled code and type feedback.
 * At a few orders a second, V8 needs minutes to compile the code again (docs/decisions/0019).
 */
export interface Retained {
  last: object | undefined;
}
