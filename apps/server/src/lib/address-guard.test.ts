import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { AddressRefused, createAddressGuard } from "./address-guard.ts";
import { NameUnresolved, type Resolve } from "./resolve-name.ts";

interface Vector {
  readonly url: string;
  readonly verdict: string;
  readonly why: string;
  readonly resolve: Resolve;
}

const ESCAPES: Record<string, string> = { t: "\t", n: "\n", r: "\r", 0: "\0", "\\": "\\" };

/** Reads the notation that the file's first line explains. */
function vectors(): Vector[] {
  const file = path.join(import.meta.dirname, "../../test/data/ssrf-vectors.txt");
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => {
      const [url = "", verdict = "", why = ""] = line.split("\t");
      const answers = (/\[dns ([^\]]*)\]$/.exec(why)?.[1] ?? "93.184.215.14").split("|");
      let asked = 0;
      return {
        url: url.replace(/\\([tnr0\\])/g, (_, letter: string) => ESCAPES[letter] ?? ""),
        verdict,
        why,
        resolve: () => {
          const answer = answers[Math.min(asked++, answers.length - 1)] ?? "";
          if (answer === "timeout") return new Promise(() => {});
          return Promise.resolve(answer.split(",").filter((one) => one !== ""));
        },
      };
    });
}

test("every address of the vector file gets its verdict, at registration and when connecting", async () => {
  const wrong: string[] = [];
  const all = vectors();
  await Promise.all(
    all.map(async ({ url, verdict, why, resolve }) => {
      // A redirect is judged at delivery, where it is never followed: see outbound-http.test.ts.
      if (why.includes("delivery-time")) return;
      const guard = createAddressGuard({ allow: [], resolve, ownAddresses: () => [] });
      const started = Date.now();
      const got = await guard
        .check(url)
        .then((checked) => guard.addressesOf(checked))
        .then(
          () => "allow",
          (error: unknown) =>
            error instanceof AddressRefused || error instanceof NameUnresolved
              ? "refuse"
              : String(error),
        );
      if (got !== verdict) wrong.push(`${url}: ${got}, wanted ${verdict} (${why})`);
      // A name that nobody answers for is given up after three seconds. The rest of the time allows for a busy machine.
      assert.ok(Date.now() - started < 120_000, `${url} took too long`);
    }),
  );
  assert.deepEqual(wrong, []);
  assert.equal(all.length, 181);
});

const admitting: [url: string, allow: string[], answers: string[], verdict: string][] = [
  ["http://127.0.0.1:4000/x", ["127.0.0.0/8"], [], "allow"],
  ["https://127.0.0.1:4000/x", ["127.0.0.0/8"], [], "allow"],
  ["http://127.0.0.1:80/x", ["127.0.0.0/8"], [], "allow"],
  ["http://[::1]:4000/x", ["127.0.0.0/8"], [], "refuse"],
  ["http://[::1]:4000/x", ["::1/128"], [], "allow"],
  ["http://10.0.0.1/x", ["127.0.0.0/8"], [], "refuse"],
  ["http://localhost:4000/x", ["127.0.0.0/8"], ["127.0.0.1"], "allow"],
  ["http://localhost:4000/x", ["127.0.0.0/8"], ["127.0.0.1", "::1"], "refuse"],
  ["http://hooks.example.com/x", ["127.0.0.0/8"], ["93.184.215.14"], "refuse"],
  ["http://hooks.example.com/x", ["127.0.0.0/8"], ["127.0.0.1", "93.184.215.14"], "refuse"],
  ["https://hooks.example.com/x", ["127.0.0.0/8"], ["127.0.0.1", "93.184.215.14"], "allow"],
  ["https://hooks.example.com:81/x", ["127.0.0.0/8"], ["93.184.215.14"], "refuse"],
  ["https://metadata/x", ["127.0.0.0/8"], ["93.184.215.14"], "refuse"],
  ["http://user:pw@127.0.0.1:4000/x", ["127.0.0.0/8"], [], "refuse"],
  ["http://127.0.0.1:0/x", ["127.0.0.0/8"], [], "refuse"],
];
test("an allow list admits its addresses, with http and any port, and nothing else", async () => {
  for (const [url, allow, answers, verdict] of admitting) {
    const guard = createAddressGuard({ allow, resolve: () => Promise.resolve(answers) });
    const got = await guard.check(url).then(
      () => "allow",
      () => "refuse",
    );
    assert.equal(got, verdict, `${url} with ${allow.join()} → ${answers.join()}`);
  }
});

test("a public address of this very machine is refused", async () => {
  const guard = createAddressGuard({ allow: [], ownAddresses: () => ["93.184.215.14"] });
  await assert.rejects(guard.check("https://93.184.215.14/"), AddressRefused);
  await guard.check("https://93.184.215.15/");
});

test("an allow list with an entry that is no CIDR is an error at once", () => {
  assert.throws(() => createAddressGuard({ allow: ["10.0.0.0/33"] }), /10\.0\.0\.0\/33/);
  assert.throws(() => createAddressGuard({ allow: ["localhost"] }), /localhost/);
});

test("the URL to call is the one that was checked: without a trailing dot and without the fragment", async () => {
  const guard = createAddressGuard({
    allow: [],
    resolve: () => Promise.resolve(["93.184.215.14"]),
  });
  const url = await guard.check("https://hooks.example.com./x?y=1#z");
  assert.equal(url.href, "https://hooks.example.com/x?y=1");
});

test("an address that is registered has at most 2,048 characters; an address that is called may be longer", async () => {
  const guard = createAddressGuard({
    allow: [],
    resolve: () => Promise.resolve(["93.184.215.14"]),
  });
  const start = "https://sms.example.com/send?text=";
  const longest = start + "x".repeat(2_048 - start.length);
  assert.equal((await guard.check(longest)).href, longest);
  await assert.rejects(guard.check(`${longest}x`), AddressRefused);
  const passcode = start + encodeURIComponent("ع".repeat(1_000));
  assert.equal(guard.inspect(passcode).href, passcode);
});
