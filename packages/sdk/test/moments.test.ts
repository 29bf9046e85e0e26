import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { PYTHON_COMMAND, without } from "./languages.ts";

const run = promisify(execFile);
const asked: (string | null)[] = [];
const server = createServer(({ url = "" }, response) => {
  asked.push(new URL(url, "http://127.0.0.1").searchParams.get("updatedAfter"));
  response.setHeader("content-type", "application/json").end('{"items":[]}');
});
let url = "";
before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});
after(() => server.close());

test(
  "Python: a datetime goes into a query as the API writes moments",
  { skip: without("Python") },
  async () => {
    const program = `
import datetime, sys
sys.path.insert(0, ${JSON.stringify(path.join(import.meta.dirname, "../../sdk-python/src"))})
sys.dont_write_bytecode = True
from parley import Parley
at = datetime.datetime(2026, 11, 21, 10, tzinfo=datetime.timezone.utc)
Parley(sys.argv[1], "pk:sk").contacts.list(updated_after=at)
`;
    await run(PYTHON_COMMAND ?? "", ["-c", program, url]);
    assert.equal(asked.pop(), "2026-11-21T10:00:00+00:00");
  },
);
