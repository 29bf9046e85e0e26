import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { createTestWorkspace } from "../../src/sandbox/create-test-workspace.ts";
import { isPhone, listLines } from "../../src/sandbox/list-lines.ts";
import { updateWorkspace } from "../../src/workspaces/update-workspace.ts";
import { freePort } from "../free-port.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";
import { blocksIn } from "./blocks.ts";
import { startProgram } from "./project.ts";
import { folderOf, LANGUAGES, PAGES, READERS_ENV } from "./reader.ts";

let home = "";
let sandbox: SandboxStand;
before(async () => {
  home = await mkdtemp(path.join(tmpdir(), "parley-programs-"));
  sandbox = await startSandboxStand();
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/** Keeps the cookies of a site, as a browser does, and follows no redirect. */
class Browser {
  readonly #site: string;
  readonly cookies = new Map<string, string>();
  constructor(site: string, cookies: ReadonlyMap<string, string> = new Map()) {
    this.#site = site;
    for (const [name, value] of cookies) this.cookies.set(name, value);
  }
  async #ask(at: string, body?: URLSearchParams): Promise<string> {
    const cookie = [...this.cookies].map((one) => one.join("=")).join("; ");
    const method = body ? "POST" : "GET";
    const options = {
      method,
      headers: { cookie },
      redirect: "manual",
      ...(body && { body }),
    } as const;
    const response = await fetch(`${this.#site}${at}`, options);
    for (const one of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^(\w+)=([^;]*)/.exec(one) ?? [];
      if (value === "") this.cookies.delete(name);
      else {
        assert.match(one, /; HttpOnly; Secure; SameSite=Lax$/);
        this.cookies.set(name, value);
      }
    }
    const text = await response.text();
    const [, words = ""] = /role="alert">([^<]*)</.exec(text) ?? [];
    return `${response.status} ${at === "/" ? text : words}`.trim();
  }
  post = (at: string, form: Record<string, string> = {}) =>
    this.#ask(at, new URLSearchParams(form));
  /** What the page is: whose session it shows, or the form. */
  async sees(): Promise<string> {
    const text = await this.#ask("/");
    const [shown = "nothing"] = /signed in as \+\d+|name="(?:number|code)"/.exec(text) ?? [];
    return shown;
  }
}

const WRONG = "That is not the code. Tries left:";

describe("otp-login.md", () => {
  for (const [language, { skip, command, server }] of Object.entries(LANGUAGES))
    test(
      `${language}: a session begins with the right code alone, and outlives the program`,
      { skip },
      async () => {
        const blocks = blocksIn(path.join(PAGES, "otp-login.md"));
        const cwd = await folderOf(home, "otp-login", language, blocks);
        const { app, clock } = sandbox.t;
        const { id: workspaceId } = await createTestWorkspace(OPERATOR, app, { name: language });
        const { bearer } = await createKey(OPERATOR, app, workspaceId, { scopes: ["otp:verify"] });
        await sandbox.look();
        const lines = await listLines(app, workspaceId);
        const sms = lines.filter(isPhone).find(({ type }) => type === "SMS");
        assert.ok(sms);
        const codes: string[] = [];
        /** The code in the newest text of a number. */
        const codeOf = async (customer: string): Promise<string> => {
          const url = `${sandbox.base}/sandbox/v1/${sms.id}/thread?customer=${customer}`;
          const answer = await fetch(url, { headers: { authorization: `Bearer ${sms.token}` } });
          const { messages } = (await answer.json()) as { messages: { text?: string }[] };
          const [code = assert.fail("no code was sent")] =
            /\d{6}/.exec(messages.findLast(({ text }) => text)?.text ?? "") ?? [];
          codes.push(code);
          return code;
        };
        const other = (code: string) =>
          code.replace(/^./, (first) => String((Number(first) + 1) % 10));
        const port = await freePort();
        const site = `http://127.0.0.1:${port}`;
        const env = {
          ...READERS_ENV,
          PARLEY_URL: `${sandbox.base}/api`,
          PARLEY_KEY: bearer,
          PORT: String(port),
        };
        const printed: string[] = [];
        const during = async (LOGIN_SECRET: string, work: () => Promise<void>) => {
          const options = { cwd, env: { ...env, LOGIN_SECRET } };
          await using program = await startProgram(server?.(port) ?? command, options);
          await work();
          printed.push(program.output());
        };
        const secret = "a secret of more than 32 letters, in the test";
        const one = new Browser(site);
        const begin = async (number: string) => {
          const browser = new Browser(site);
          assert.equal(await browser.post("/start", { number }), "303");
          return browser;
        };
        let code = "";

        await during(secret, async () => {
          assert.equal(await one.sees(), 'name="number"');
          for (const number of ["", "0100 123 4567", "sara96550000002@example.com", "12"])
            assert.match(
              await one.post("/start", { number }),
              /^400 Write the number with its country code/,
            );
          const typed = "\u200e00965 \u0665\u0660\u0660\u0660-0002";
          assert.equal(await one.post("/start", { number: typed }), "303");
          assert.equal(await one.sees(), 'name="code"');
          code = await codeOf("96550000002");
          // The cookie of a login is none of a session, nor is one that was changed.
          const login = one.cookies.get("login") ?? "";
          const thief = new Browser(site, new Map([["session", login]]));
          assert.equal(await thief.sees(), 'name="number"');
          const first = login.startsWith("e") ? "f" : "e";
          const forged = new Browser(site, new Map([["login", `${first}${login.slice(1)}`]]));
          assert.equal(await forged.sees(), 'name="number"');
          // Without the cookie of the browser that asked for it the code opens nothing.
          const stranger = new Browser(site);
          assert.equal(await stranger.post("/check", { code }), "303");
          assert.equal(await stranger.sees(), 'name="number"');
          assert.equal(await one.post("/check", { code: other(code) }), `400 ${WRONG} 4.`);
          assert.equal(await one.post("/check"), "400 That is not the code.");
          assert.equal(await one.sees(), 'name="code"');
          // Another code after half a minute; until then the first one is valid.
          assert.match(
            await one.post("/resend"),
            /^429 Wait (30|[12]\d) seconds, and try again\.$/,
          );
          const before = new Browser(site, one.cookies);
          clock.advance(31_000);
          assert.equal(await one.post("/resend"), "303");
          const newer = await codeOf("96550000002");
          assert.match(await before.post("/check", { code: newer }), /^400 A newer code was sent/);
          code = newer;
        });
        await during(secret, async () => {
          const twice = new Browser(site, one.cookies);
          assert.equal(await one.post("/check", { code }), "303");
          assert.equal(await one.sees(), "signed in as +96550000002");
          assert.match(await twice.post("/check", { code }), /^409 This code was used/);
          assert.equal(await twice.sees(), 'name="code"');

          const guessing = await begin("+965 5000 0003");
          const right = await codeOf("96550000003");
          for (let left = 4; left > 0; left--)
            assert.equal(
              await guessing.post("/check", { code: other(right) }),
              `400 ${WRONG} ${left}.`,
            );
          for (const code of [other(right), right])
            assert.match(await guessing.post("/check", { code }), /^400 Too many wrong codes/);
          assert.equal(await guessing.sees(), 'name="code"');

          const ended = await begin("+965 5000 0005");
          const copy = new Browser(site, ended.cookies);
          assert.equal(await ended.post("/cancel"), "303");
          assert.equal(await ended.sees(), 'name="number"');
          const unwanted = { code: await codeOf("96550000005") };
          assert.match(await copy.post("/check", unwanted), /^400 .*the login was ended/);

          const late = await begin("+965 5000 0004");
          const old = await codeOf("96550000004");
          clock.advance(601_000);
          assert.match(await late.post("/check", { code: old }), /^400 The code is too old/);
          assert.equal(await late.post("/resend"), "303");
          assert.equal(await late.post("/check", { code: await codeOf("96550000004") }), "303");
          assert.equal(await late.sees(), "signed in as +96550000004");
          assert.equal(await late.post("/logout"), "303");
          assert.equal(await late.sees(), 'name="number"');

          await updateWorkspace(OPERATOR, app, workspaceId, { otpCountries: ["KW"] });
          const far = new Browser(site);
          assert.match(
            await far.post("/start", { number: "+201001234567" }),
            /^403 .* of this country/,
          );
          // A restart changed nothing for who was signed in.
          assert.equal(await one.sees(), "signed in as +96550000002");
        });
        await during(secret.toUpperCase(), async () => {
          assert.equal(await one.sees(), 'name="number"', "signed with another secret");
        });
        const log = printed.join("");
        assert.match(log, /OTP_NUMBER_LIMITED/);
        for (const sent of codes) assert.ok(!log.includes(sent), "a code is in the log");
      },
    );
});
