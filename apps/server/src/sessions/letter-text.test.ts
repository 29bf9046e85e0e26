import assert from "node:assert/strict";
import { test } from "node:test";
import { handedOutAs } from "../media/file-ending.ts";
import { invitationText, mailedName } from "./letter-text.ts";

test("a workspace's name in a mail is one line, and no address in it becomes a link", () => {
  const name = "Shop\r\nBcc: all@evil.example\nhttps://evil.example/join www.evil.example";
  for (const locale of ["en", "ar"] as const) {
    const { subject, text } = invitationText(locale, name, "https://parley.example/invite/x");
    assert.doesNotMatch(subject, /[\r\n]/);
    assert.doesNotMatch(
      `${subject} ${text.replace("https://parley.example/invite/x", "")}`,
      /\w[.@:/]+\w/,
    );
  }
  assert.equal(mailedName("متجر  الورد"), "متجر الورد");
});

test("a document with macros is handed out like another program: its name ends harmlessly", () => {
  for (const ending of ["docm", "xlsm", "pptm", "dotm", "XLSB"]) {
    const name = handedOutAs(`prices.${ending}`, {
      kind: "document",
      mimeType: "application/octet-stream",
    });
    assert.match(name, /\.bin$/);
  }
});
