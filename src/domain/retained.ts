/**
 * Keeps one object of a class alive, so that V8 keeps the compiled code of the class. No code reads the object.
 *
 * When a full garbage collection finds no object of a class, V8 discards the class's compiled code and type feedback.
 * At a few orders a second, V8 needs minutes to compile the code again (docs/decisions/0019).
 */
export interface Retained {
  last: object | undefined;
}
