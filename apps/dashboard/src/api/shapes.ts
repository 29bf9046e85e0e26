/** What the inbox takes from the contract with the server: types, and the one rule for views that both sides run. */
export type {
  AcrossLine,
  Bootstrap,
  ContactCard,
  DeskCounts,
  DeskOrder,
  DeskPage,
  DeskRow,
  DeskView,
  DeskViewJson,
  EventEntry,
  MemberJson,
  MemberSettings,
  MessageEntry,
  MineOf,
  NoteEntry,
  OpenedConversation,
  QuotedEntry,
  SavedReplyJson,
  ThreadEntry,
  ThreadPage,
  ViewFilter,
  ViewRule,
} from "../../../server/src/wire/desk-shapes.ts";
export type { LabelJson } from "../../../server/src/wire/label.ts";
export type { TemplateJson } from "../../../server/src/wire/template.ts";
export type { AttachmentJson } from "../../../server/src/wire/attachment.ts";
export type { FrameName, Frames } from "../../../server/src/http/dashboard/contract/live.ts";
export {
  closesSoon,
  compareRows,
  inView,
  RESULTS_FIELDS,
  resultsAddress,
  termsOf,
  unreadOf,
  type PlacedRow,
  type ResultsFilter,
  type ViewTerms,
} from "../../../server/src/wire/in-view.ts";
