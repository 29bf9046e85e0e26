export { selectDueSnoozes as dueSnoozes, selectSnoozeDue as isSnoozeDue } from "./snooze-store.ts";
