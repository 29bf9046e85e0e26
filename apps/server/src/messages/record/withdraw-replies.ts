export { lockUnsentOf, type UnsentReply } from "./withdraw-store.ts";
