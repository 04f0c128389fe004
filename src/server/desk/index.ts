export { Desk } from './desk.ts';
export type { DeskOptions } from './desk-options.ts';
export { type GroupName, GroupNames } from './group-names.ts';
export type { Task, Watcher } from './task.ts';
export { WireIds, type WireIdsOf } from './wire-ids.ts';
