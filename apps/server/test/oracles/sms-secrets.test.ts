import { KEY } from "../actors.ts";
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createSmppEmulator, type SmppEmulator } from "@parley/emulators";
import { pino } from "pino";
import { sql } from "../../src/db/sql.ts";
import { sendOtp } from "../../src/otp/send-otp.ts";
import { findProvider } from "../../src/sms/find-provider.ts";
import { smsProviderFor } from "../../src/sms/registry.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { dumpDatabase } from "../dump-database.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { SMS_PROVIDERS, type SmsProviderName } from "../../src/wire/words.ts";

/**
 * The secrets of every gateway are written and never read: no result, error, log line or table holds one, although the
 * gateway quotes the whole request back (headers, address, body), in its own error document.
 */
const canaryOf = (provider: string, field: string): string => `CaNaRy-${provider}-${field}-7f3e`;
let t: TestApp;
let logged = "";
let smsc: SmppEmulator;
let echoes = 0;

/** Everything of the request, credentials decoded too, in the member where each gateway has its words. */
const echo = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString("utf8");
    const basic = (request.headers.authorization ?? "").replace(/^\w+ /, "");
    const decoded = Buffer.from(basic, "base64")
      .toString("latin1")
      .replaceAll(/[^ -~]/g, "");
    const words = `Refused: ${decoded} ${JSON.stringify(request.headers)} ${request.url} ${body} ${decodeURIComponent(body.replaceAll("+", " "))}`;
    echoes++;
    response.writeHead(400, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        code: 21211,
        message: words,
        messages: [{ status: "3", "error-text": words }],
        requestError: { serviceException: { messageId: "BAD_REQUEST", text: words } },
        success: "false",
        errorCode: "ER-480",
        result: "ERROR",
        description: words,
      }),
    );
  });
});

before(async () => {
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  t = await startTestApp({ overrides: { log } });
  smsc = await createSmppEmulator({ accounts: [] });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  await smsc.close();
  echo.closeAllConnections();
  echo.close();
  await t[Symbol.asyncDispose]();
});

/** An account of each gateway whose secrets are canaries. */
function inputOf(provider: SmsProviderName): Record<string, string> {
  const base = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const own: Partial<Record<SmsProviderName, Record<string, string>>> = {
    twilio: { accountSid: "AC1" },
    vonage: { apiKey: "abcd1234" },
    kwtsms: { username: "user" },
    smpp: { systemId: "parley" },
    http: {
      url: `${base}/send?pw=${canaryOf("http", "url")}&to={{to}}&text={{text}}`,
      headers: JSON.stringify({ "x-key": canaryOf("http", "headers") }),
      body: `{"pw":"${canaryOf("http", "body")}"}`,
      bodyForm: "json",
      method: "POST",
      success: "regex:^OK",
      messageId: "regex:id=(\\w+)",
      errorDetail: "json:message",
    },
  };
  const { fields } = smsProviderFor(provider);
  const secrets = Object.entries(fields).flatMap(([field, rule]): [string, string][] =>
    rule.goesTo === "secrets" ? [[field, canaryOf(provider, field)]] : [],
  );
  const given = own[provider] ?? {};
  const apiUrl =
    provider === "smpp" ? { apiUrl: smsc.url } : provider === "http" ? {} : { apiUrl: base };
  const from = fields["from"] ? { from: "SHOP" } : {};
  const known = Object.entries({ ...Object.fromEntries(secrets), ...from, ...given, ...apiUrl });
  return Object.fromEntries(known.filter(([field]) => field === "apiUrl" || field in fields));
}

for (const provider of SMS_PROVIDERS)
  test(`${provider}: no secret comes back`, async () => {
    const { app } = t;
    const { id } = await createWorkspace(OPERATOR, app, { name: provider, smsCredits: 100 });
    const input = { provider, ...inputOf(provider) };
    const seen: unknown[] = [];
    seen.push(await setProvider(OPERATOR, app, id, input), await findProvider(app, id));
    const before_ = echoes;
    seen.push(await testProvider(OPERATOR, app, id, "96550001234"));
    if (provider !== "smpp") assert.ok(echoes > before_, "the gateway was asked");
    // Verified by hand, so that a passcode goes the same way.
    await app.db.query(
      sql`update sms_provider set verified_at = ${app.clock.now()} where workspace_id = ${id}`,
    );
    const otp = { mobile: "96550001234", message: "Your code is 482913", lang: "E" } as const;
    seen.push(await sendOtp(KEY, app, id, otp));
    // What does not fit is refused by the name of its field, not by its value.
    const { fields } = smsProviderFor(provider);
    for (const [field, rule] of Object.entries(fields)) {
      if (rule.goesTo !== "secrets") continue;
      const bad = `${canaryOf(provider, field)}\n${"x".repeat(5_000)}`;
      const refusal = await setProvider(OPERATOR, app, id, { ...input, [field]: bad }).then(
        () => assert.fail(`${field} was taken`),
        (error: unknown) => error,
      );
      seen.push(String(refusal), JSON.stringify(refusal), Object(refusal).facts);
    }
    await app.drain();
    const places = {
      results: JSON.stringify(seen),
      logs: logged,
      tables: await dumpDatabase(t.databaseUrl),
    };
    assert.ok(places.tables.includes(id));
    // The gateway's words are told, without what was secret in them: the ways out are open.
    if (provider !== "smpp") assert.match(places.results, /Refused: /);
    const canaries = Object.entries(fields).filter(([, rule]) => rule.goesTo === "secrets");
    assert.ok(canaries.length > 0);
    for (const [field] of canaries)
      for (const [place, text] of Object.entries(places)) {
        const canary = canaryOf(provider, field);
        const coded = text.match(/[\w+/-]{16,}/g)?.map((run) => Buffer.from(run, "base64"));
        assert.ok(!coded?.some((told) => told.includes(canary)), `${field} in base64 in ${place}`);
        for (const form of [
          canary,
          Buffer.from(canary).toString("base64").slice(2, -4),
          encodeURIComponent(canary),
        ])
          assert.ok(!text.includes(form), `${field} is in the ${place}: ${around(text, form)}`);
      }
  });

const around = (text: string, form: string): string =>
  text.slice(Math.max(0, text.indexOf(form) - 200), text.indexOf(form) + 80);
