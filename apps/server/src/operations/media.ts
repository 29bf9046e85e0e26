import { Type } from "typebox";
import { mediaExample, MediaRecord } from "../wire/media.ts";
import { ID, NO_NUL } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { EVERYONE } from "./roles.ts";

/** Files of messages. */
export const media = {
  storeMedia: operation("media.store", {
    says: "Store a file, from an address or as bytes, for a message to carry",
    more: "The address must be public and https: the server fetches the file once, within 30 s, and follows no redirect. One that no message carries within 24 hours is deleted.",
    at: "POST /media",
    input: {
      url: Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: "^https?://[^\\u0000-\\u0020]+$",
        "x-fault": "must be an https address",
        description: "Where the file is.",
        examples: ["https://shop.example.com/parcel.png"],
      }),
      fileName: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          ...NO_NUL,
          description: "Its name for the customer. Without it, the last part of the address.",
          examples: ["parcel.png"],
        }),
      ),
    },
    answer: MediaRecord,
    example: {
      input: { url: "https://shop.example.com/parcel.png" },
      answer: mediaExample,
    },
    errors: ["NOT_FETCHED", "UNSENT_FILES_FULL"],
    roles: EVERYONE,
    scope: "messages:write",
    otherScopes: ["templates:send", "templates:write", "broadcasts:draft", "broadcasts:write"],
    bots: false,
    trace: "author",
    status: 201,
    doors: ["v1", "cli"],
  }),
  readMedia: operation("media.show", {
    says: "One file of a message, or an upload",
    at: "GET /media/{id}",
    input: { id: anyId("The file.") },
    answer: MediaRecord,
    example: { input: { id: ID }, answer: mediaExample, after: "media.store" },
    errors: ["NOT_FOUND"],
    roles: EVERYONE,
    scope: "messages:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
} as const;
