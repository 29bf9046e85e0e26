import assert from "node:assert/strict";
import { test } from "node:test";
import { smsProviderFor } from "../../../server/src/sms/registry.ts";
import { SMS_PROVIDERS } from "../../../server/src/wire/words.ts";
import { sms as ar } from "../text/areas/sms.ar.ts";
import { sms as en } from "../text/areas/sms.en.ts";
import { smsFieldTexts } from "./sms-fields.ts";

for (const provider of SMS_PROVIDERS)
  test(`${provider}: every value has a name and says where it is found, in both languages`, () => {
    for (const name of Object.keys(smsProviderFor(provider).fields)) {
      const texts = smsFieldTexts(provider, name);
      assert.ok(texts, `${name} has no texts`);
      for (const key of texts)
        for (const all of [en, ar] as const)
          assert.ok(new Map<string, string>(Object.entries(all)).get(key), `${key} is missing`);
    }
  });
