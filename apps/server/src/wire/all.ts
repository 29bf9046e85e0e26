/** Every shape of the API, for its route table and its document. */
export * from "./attachment.ts";
export * from "./broadcast.ts";
export * from "./contact-record.ts";
export * from "./contact.ts";
export * from "./conversation.ts";
export * from "./error.ts";
export * from "./event.ts";
export * from "./label.ts";
export * from "./media.ts";
export * from "./member.ts";
export * from "./message.ts";
export * from "./note.ts";
export * from "./otp.ts";
export * from "./segment.ts";
export * from "./template-message.ts";
export * from "./template.ts";
export * from "./usage.ts";
