import assert from "node:assert/strict";
import { openSync, readSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import { fileFault } from "./file-fault.ts";

const caught = (does: () => unknown): unknown => {
  try {
    does();
  } catch (error) {
    return error;
  }
  return null;
};

test("a fault of a file is a sentence that names the file, what is wrong and the system's code", () => {
  const missing = caught(() => openSync("/nowhere/x.gz.12.partial", "w"));
  assert.equal(
    fileFault(missing),
    "/nowhere/x.gz.12.partial cannot be opened: there is no such file or folder (ENOENT)",
  );
  assert.equal(
    fileFault(missing, "/nowhere/x.gz"),
    "/nowhere/x.gz cannot be written: there is no such file or folder (ENOENT)",
  );
  const folder = caught(() => readSync(openSync("/tmp", "r"), Buffer.alloc(1)));
  assert.equal(fileFault(folder), "a file cannot be read: it is a folder (EISDIR)");
  const full = Object.assign(new Error("x"), { code: "ENOSPC", syscall: "write" });
  assert.equal(fileFault(full, "b.gz"), "b.gz cannot be written: the disk is full (ENOSPC)");
});

test("what is no fault of a file stays what it is", async () => {
  assert.equal(fileFault(new Error("no")), null);
  const socket = connect("/nowhere/socket");
  const [error] = await once(socket, "error").catch((thrown: unknown) => [thrown]);
  assert.equal(fileFault(error), null);
});
