/** A strategy's state that survives a restart: JSON that the schema accepts, stored with the step that changed it. */
import type { z } from 'zod';
import { Fault, InputFault } from '../domain/index.ts';
import { parseStrict, type StrategyState } from '../strategy/index.ts';
import type { StateOwner } from './strategy-states.ts';

/** Maximum number of characters as JSON, because a state is stored with each step that changes it. */
const MAX_JSON_LENGTH = 65_536;

export class SavedState implements StrategyState<unknown> {
  readonly owner: StateOwner;
  readonly #schema: z.ZodType;
  #json: string;
  #value: unknown;
  #save: ((json: string) => void) | undefined;

  /**
   * @param stored JSON of an earlier run; undefined for the schema's defaults
   * @throws Fault STRATEGY when the schema has no defaults; Fault STATE when the schema refuses the stored state
   */
  constructor(owner: StateOwner, schema: z.ZodType, stored: string | undefined) {
    const { strategy } = owner;
    this.owner = owner;
    this.#schema = schema;
    this.#value =
      stored === undefined ? createInitialState(strategy, schema) : parseStoredState(strategy, schema, stored);
    this.#json = JSON.stringify(this.#value) ?? '';
  }

  /** Enables `set`. @param save receives each new state as JSON */
  onSave(save: (json: string) => void): void {
    this.#save = save;
  }

  get(): unknown {
    return this.#value;
  }

  set(next: unknown): void {
    if (this.#save === undefined) {
      const remedy = 'call it in a handler, and give the schema defaults';
      throw new TypeError(`context.state.set was called in \`create\`: ${remedy}`);
    }
    const json = this.#checkedJson(next);
    if (json === this.#json) return;
    this.#json = json;
    this.#value = deepFreeze(JSON.parse(json));
    this.#save(json);
  }

  /** @throws InputFault that names the field; TypeError for a value that JSON would change, or that is too long */
  #checkedJson(next: unknown): string {
    const where = 'context.state';
    const checked = parseState(this.#schema, next, where);
    if (!isJson(checked)) {
      throw new TypeError(`${where} cannot be stored: use numbers, texts, booleans, lists and plain objects only`);
    }
    const json = JSON.stringify(checked) ?? '';
    if (json.length > MAX_JSON_LENGTH) {
      throw new TypeError(
        `${where} has ${json.length} characters as JSON; at most ${MAX_JSON_LENGTH} are stored. Store less`,
      );
    }
    const storedJson = json === '' ? undefined : JSON.stringify(parseState(this.#schema, JSON.parse(json), where));
    if (storedJson !== json) {
      throw new TypeError(`${where} changes when it is stored: use numbers, texts, booleans, lists and objects only`);
    }
    return json;
  }
}

/** Returns the schema's default, or an object of its fields' defaults. @throws Fault STRATEGY without any default */
function createInitialState(strategy: string, schema: z.ZodType): unknown {
  const withDefault = schema.safeParse(undefined);
  if (withDefault.success && withDefault.data !== undefined) return deepFreeze(withDefault.data);
  try {
    return deepFreeze(parseState(schema, {}, 'state'));
  } catch (cause) {
    if (!(cause instanceof InputFault)) throw cause;
    const problem = `strategy "${strategy}": its state has no default (${cause.message})`;
    throw new Fault('STRATEGY', `${problem}. Give each field of \`state\` a default: z.number().default(0)`, { cause });
  }
}

function parseStoredState(strategy: string, schema: z.ZodType, stored: string): unknown {
  try {
    return deepFreeze(parseState(schema, JSON.parse(stored), 'state'));
  } catch (cause) {
    if (!(cause instanceof InputFault)) throw cause;
    const problem = `strategy "${strategy}": the state that an earlier run stored does not fit its schema (${cause.message})`;
    const remedy =
      'Go back to the version that stored it, or change the schema to accept it: .default() for a new field, z.preprocess() to convert, .catch() to start without state, or remove it with `npx halfspread state clear`';
    throw new Fault('STATE', `${problem}. ${remedy}`, { cause });
  }
}

/** @throws InputFault, without a cause, because the log would show the schema's error as a list of issues */
function parseState(schema: z.ZodType, value: unknown, where: string): unknown {
  try {
    return parseStrict(schema, value, where);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    throw new InputFault(error.field, error.received, error.expected);
  }
}

/** Returns whether JSON preserves the value: no Map, Set, Date, NaN, bigint or function. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value !== 'bigint' && typeof value !== 'function';
  if (value === null || Array.isArray(value)) return value === null || value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}

/** Freezes a value and all values in it. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
