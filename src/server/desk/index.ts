export { Desk, type DeskOptions } from './desk.ts';
export { type GroupName, GroupNames } from './group-names.ts';
export type { Task, Watcher } from './task.ts';
export { WireIds, type WireIdsOf } from './wire-ids.ts';
