export { haltReplies } from "./message-store.ts";
