import assert from "node:assert/strict";
import { test } from "node:test";
import { messageEntry } from "../thread/message-entry.fixture.ts";
import { knownOf, replySince } from "./reply-since.ts";

/** A member's reply; without `authorId` a customer's message. */
const said = (id: string, authorId: string | null, at: string) =>
  messageEntry(id, at, { ...(authorId !== null && { direction: "outbound", authorId }) });

const EARLY = "2026-01-01T10:00:00.000Z";
/** By a clock that is an hour ahead. */
const LATE = "2026-01-01T11:00:00.000Z";
const question = said("5", null, EARLY);
const answer = said("6", "omar", LATE);

test("a reply that was there when the text was begun is none since, whatever the clocks say", () => {
  const known = knownOf([question, answer]);
  assert.equal(replySince([question, answer], known, "sara"), undefined);
});

test("another member's reply that was not there is named; one's own and older ones are not", () => {
  const known = knownOf([question]);
  assert.equal(replySince([question, answer], known, "sara")?.id, "6");
  assert.equal(replySince([question, answer], known, "omar"), undefined);
  const older = said("3", "omar", EARLY);
  assert.equal(replySince([older, question], known, "sara"), undefined);
});
