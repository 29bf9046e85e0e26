export {
  selectDueSnoozes as dueSnoozes,
  selectSnoozeDue as isSnoozeDue,
  selectSnoozes as snoozesOf,
} from "./snooze-store.ts";
